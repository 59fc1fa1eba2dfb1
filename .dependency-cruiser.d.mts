declare const config: {
  readonly forbidden: readonly { readonly name: string }[];
  readonly options: Readonly<Record<string, unknown>>;
};
export default config;
