import type { Behaviour } from './behaviour.js';
import { roll } from './dice.js';
import type { Line } from './page-lines.js';

export interface Refusal {
  readonly category: 'bio' | 'cyber' | 'general_harms';
  /** What the model says; may be nothing. */
  readonly text: string;
}

interface Declined {
  readonly category: Refusal['category'];
  /** All of these must be in the document. */
  readonly about: readonly RegExp[];
}

/** Subjects that a model declines to write about even when asked to copy them out. */
const DECLINED: readonly Declined[] = [
  {
    category: 'general_harms',
    about: [
      /\b(nerve agents?|sarin|tabun|soman|novichok)\b/i,
      /\b(synthesis|synthesi[sz]e|precursors?|production route)\b/i,
    ],
  },
  {
    category: 'bio',
    about: [/\b(anthrax|smallpox|botulinum)\b/i, /\b(weaponi[sz]|aerosoli[sz]|enhanced transmissib)/i],
  },
  {
    category: 'cyber',
    about: [/\b(ransomware|wiper malware)\b/i, /\b(source code|payload|build instructions)\b/i],
  },
];

/** Why the model declines this document, or null. Whether it says so in words is the document's luck. */
export function refusalOf(lines: readonly Line[], behaviour: Behaviour, document: string): Refusal | null {
  const text = lines.map((line) => line.cells.map((cell) => cell.text).join(' ')).join(' ');
  const declined = DECLINED.find(({ about }) => about.every((subject) => subject.test(text)));
  if (!declined || roll(behaviour.seed, document, 'refusal') >= behaviour.refusal) return null;
  const silent = roll(behaviour.seed, document, 'silent refusal') < 0.5;
  return {
    category: declined.category,
    text: silent ? '' : "I can't help with the contents of this document.",
  };
}
