export interface ClaimPaper {
  readonly claimant?: string;
  readonly currency?: string;
  readonly amounts?: readonly string[];
  /** Null prints no such line; '' prints the label alone. */
  readonly deductible?: string | null;
  readonly number?: string;
  readonly extra?: string;
}

let counter = 0;

/** A one-page claim in plain words; every call has its own claim number, so that each is a document of its own. */
export function claimText({
  claimant = 'Ada Muster',
  currency = 'EUR',
  amounts = ['120.50', '79.50'],
  deductible = null,
  number,
  extra = '',
}: ClaimPaper): string {
  counter += 1;
  const decimals = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const scale = 10n ** BigInt(decimals);
  const units = amounts.reduce((sum, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.');
    return sum + BigInt(whole) * scale + BigInt(fraction.padEnd(decimals, '0') || '0');
  }, 0n);
  const total =
    decimals === 0 ? String(units) : `${units / scale}.${String(units % scale).padStart(decimals, '0')}`;
  return [
    'CLAIM',
    '',
    `Claim number: ${number ?? `CL-${process.pid}-${counter}`}`,
    'Policy number: HP-20417',
    `Claimant: ${claimant}`,
    'Loss date: 2024-05-17',
    `Currency: ${currency}`,
    '',
    'Description                     Amount',
    '--------------------------------------',
    ...amounts.map((amount, index) => `${`Repair of window ${index + 1}`.padEnd(28)}${amount.padStart(10)}`),
    '--------------------------------------',
    `Total claimed: ${total}`,
    ...(deductible === null ? [] : [`Deductible: ${deductible}`]),
    extra,
  ].join('\n');
}
