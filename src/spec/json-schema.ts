/** A JSON Schema object as sent on the wire. */
export type JsonSchema = { readonly [keyword: string]: unknown };
