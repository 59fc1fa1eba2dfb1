/**
 * ISO 4217 minor units, our own table as of 2026-01-01 (XCG, XAD and ZWG are in it, BGN has left).
 * `Intl` is no source for this: it follows customs of display and says 0 for HUF, IQD and MGA, which have 2, 3 and 2.
 */
const byMinorUnits: readonly (readonly [minorUnits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
     COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
     INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
     MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
     STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** Withdrawn since 2021 and still printed on documents of their time; all had two decimals. */
const withdrawn = 'ANG BGN CUC HRK SLL ZWL';

const split = (codes: string): readonly string[] => codes.split(/\s+/);

const table: ReadonlyMap<string, number> = new Map([
  ...byMinorUnits.flatMap(([units, codes]) => split(codes).map((code) => [code, units] as const)),
  ...split(withdrawn).map((code) => [code, 2] as const),
]);

/** Every currency code that a document can be denominated in, sorted. Metals, funds and test codes are not among them. */
export const currencyCodes: readonly string[] = [...table.keys()].sort();

/** Decimals of the smallest unit of a currency: BHD 3, EUR 2, JPY 0. Null for anything that is not a currency code. */
export function minorUnitsOf(code: unknown): number | null {
  return typeof code === 'string' ? (table.get(code) ?? null) : null;
}
