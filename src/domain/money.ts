/** An exact amount: a plain decimal string (no exponent, no separators) and an ISO 4217 code. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}
