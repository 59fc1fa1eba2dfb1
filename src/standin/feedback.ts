/** One complaint about the last answer, as far as its wording can be understood. */
export interface Complaint {
  /** JSON Pointer of the field it names; null when it names none. */
  readonly pointer: string | null;
  readonly about: 'rows' | 'sum' | 'unprinted' | 'other';
  readonly expected: string | null;
  readonly found: string | null;
}

export interface Feedback {
  readonly text: string;
  readonly complaints: readonly Complaint[];
}

/** What opens feedback: talk of the answer given before. Words of the task itself do not. */
const OPENING = /\b(?:last|previous|earlier|prior)\s+(?:attempt|answer|reply|response|output|extraction)\b/i;
const POINTER = /(?:^|[\s"'`([])((?:\/[A-Za-z_][\w~-]*|\/\d+)+)(?=$|[\s"'`)\]:;,.])/;

/**
 * Reads what the caller says about the last answer; null when nothing is said. A line that begins a list item or
 * names a field begins a complaint; feedback without one asks for the format only.
 */
export function readFeedback(callersWords: string): Feedback | null {
  const opening = OPENING.exec(callersWords);
  if (!opening) return null;
  const complaints: string[] = [];
  for (const line of callersWords.slice(opening.index + opening[0].length).split('\n')) {
    if (POINTER.test(line) || /^\s*(?:[-*•]|\d+[.)])\s/.test(line)) complaints.push(line);
    else if (complaints.length > 0) complaints.push(`${complaints.pop() ?? ''} ${line}`);
  }
  return { text: callersWords.slice(opening.index), complaints: complaints.map(complaintOf) };
}

function complaintOf(text: string): Complaint {
  return {
    pointer: POINTER.exec(text)?.[1] ?? null,
    about: topicOf(text),
    expected: quotedAfter(/\bexpected:?\s+(?:exactly\s+|at most\s+)?/i, text),
    found: quotedAfter(/\b(?:found|got|but was):?\s+/i, text),
  };
}

function topicOf(text: string): Complaint['about'] {
  if (/\brows?\b|\blines? (?:are |is )?missing|\bevery line\b|incomplete|\bcount\b/i.test(text))
    return 'rows';
  if (/\badds? up\b|\bsum\b|\bsums\b|\bin total\b|\btotals? (?:do|does|is|are)\b/i.test(text)) return 'sum';
  if (
    /not (?:be )?(?:printed|found in|present in)|not (?:appear|stand|occur)|nowhere|made up|no such text/i.test(
      text,
    )
  ) {
    return 'unprinted';
  }
  return 'other';
}

/** The value after the last such word: quoted as JSON, quoted otherwise, or a bare number or word. */
function quotedAfter(word: RegExp, text: string): string | null {
  const value = /(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|(-?[\w.-]*\w))/;
  const last = [...text.matchAll(new RegExp(word.source + value.source, 'gi'))].at(-1);
  return last?.[1] ?? last?.[2] ?? last?.[3] ?? last?.[4] ?? null;
}
