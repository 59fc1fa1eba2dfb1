/**
 * A number exactly as the reply printed it: `25.00` stays `25.00`, and 19 digits stay 19 digits.
 * `text` is a JSON number token; whoever constructs one by hand answers for that.
 */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** What a reply can hold. Objects have no prototype, so no key of a reply can reach one. */
export type JsonValue = null | boolean | string | NumberText | readonly JsonValue[] | JsonObject;
