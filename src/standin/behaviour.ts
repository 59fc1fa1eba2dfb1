/** One knob of the stand-in: what it starts at, how far it goes and what it does. */
interface Knob {
  readonly default: number;
  /** A rate is a share of requests or documents in [0, 1]; anything else is a count or a duration from 0. */
  readonly rate: boolean;
  readonly meaning: string;
}

const rate = (value: number, meaning: string): Knob => ({ default: value, rate: true, meaning });
const amount = (value: number, meaning: string): Knob => ({ default: value, rate: false, meaning });

/**
 * Everything that can be set, on the command line as `--kebab-case`, in the environment as `STANDIN_UPPER_CASE`, and
 * while running through `POST /standin/behaviour`. Transport faults are off unless asked for. Weaknesses that a
 * document itself provokes (rows broken over pages, inch marks, a value talked about but not printed) are on, so that
 * a repair loop has honest work to do; weaknesses without such a cause are off.
 */
export const KNOBS = {
  seed: amount(1, 'seed of every die; the same seed and document always fare the same'),
  latencyMs: amount(60, 'time before a reply begins'),
  msPerToken: amount(0.2, 'time per output token'),
  thinkingTokens: amount(0, 'tokens spent thinking before the answer; they count toward max_tokens'),
  contextTokens: amount(0, "context window in tokens; 0 = the model's own"),
  retryAfterSeconds: amount(1, 'Retry-After of a 429'),
  slowMs: amount(5000, 'extra wait of a slow reply'),

  rate429: rate(0, 'rate limited, with Retry-After'),
  rateSpendLimit: rate(0, 'rate limited for good: the spend limit, without Retry-After'),
  rate529: rate(0, 'overloaded'),
  rate500: rate(0, 'internal server error'),
  rate502html: rate(0, 'bad gateway, with an HTML page'),
  rate200html: rate(0, 'an HTML page with status 200'),
  slowHeaders: rate(0, 'a reply that begins slowMs late'),
  stalledBody: rate(0, 'headers and half a body, then silence until the caller leaves'),
  reset: rate(0, 'connection reset before headers'),
  halfBody: rate(0, 'headers and half a body, then a closed connection'),
  streamError: rate(0, 'an overloaded_error event in the middle of a stream'),
  missingUsage: rate(0, 'a reply without usage'),
  unknownStop: rate(0, 'a stop reason that no client knows'),
  emptyReply: rate(0, 'a complete stop without text'),

  refusal: rate(1, 'documents asking for what a model declines that are declined'),
  droppedRows: rate(1, 'tables carried forward over a page break that lose rows in the first answer'),
  assumption: rate(1, 'values talked about but not printed that are made up in the first answer'),
  unescapedQuote: rate(1, 'plain mode: texts with a double quote that break the JSON of the first answer'),
  style: rate(
    0.6,
    'plain mode: replies with a fence, prose around them or a trailing comma; the value is whole',
  ),
  unparseable: rate(0, 'plain mode: first answers that are no JSON for no reason'),
  invention: rate(0, 'values neither printed nor mentioned that are made up in the first answer'),
  misread: rate(0, 'documents with two digits swapped in one amount of the first answer'),
  relapse: rate(0, 'answers to feedback that misread an amount anew'),
  obedience: rate(0, 'documents whose own instructions are followed'),
  stubborn: rate(0, 'documents for which feedback changes nothing'),
} as const satisfies Record<string, Knob>;

export type KnobName = keyof typeof KNOBS;
export type Behaviour = Readonly<Record<KnobName, number>>;

export const KNOB_NAMES = Object.keys(KNOBS) as KnobName[];

export const DEFAULT_BEHAVIOUR: Behaviour = Object.fromEntries(
  KNOB_NAMES.map((name) => [name, KNOBS[name].default]),
) as Record<KnobName, number>;

/**
 * `current` with `changes` applied.
 * Throws RangeError with one sentence when a name is unknown or a value is out of range; nothing is changed then.
 */
export function changeBehaviour(current: Behaviour, changes: Readonly<Record<string, unknown>>): Behaviour {
  const next: Record<KnobName, number> = { ...current };
  for (const [name, value] of Object.entries(changes)) {
    if (!isKnobName(name)) {
      throw new RangeError(`There is no setting "${name}"; known are ${KNOB_NAMES.join(', ')}.`);
    }
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
      throw new RangeError(`The setting "${name}" must be a number from 0.`);
    }
    if (KNOBS[name].rate && number > 1) throw new RangeError(`The rate "${name}" must lie between 0 and 1.`);
    next[name] = number;
  }
  return next;
}

function isKnobName(name: string): name is KnobName {
  return Object.hasOwn(KNOBS, name);
}
