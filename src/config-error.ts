/** A setting that cannot be used. The message is one sentence: variable, what is wrong, what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;
