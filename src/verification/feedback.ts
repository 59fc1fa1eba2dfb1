import type { Problem } from './problem.js';
import { clipped, utf8Length } from './utf8.js';

/** Feedback never grows: 2 KB as UTF-8 bytes, whatever the number of problems. */
export const maximumFeedbackBytes = 2048;

const heading = 'Your last answer broke these rules. Correct every one of them and answer again, whole:';

/** One value in feedback, so that one long text cannot crowd out the other rules. */
const maximumValueBytes = 120;

/** What the model is told after a reply that was no single JSON value. */
export const formatReminder =
  'Your last answer could not be read. Answer with exactly one JSON object that follows the schema: ' +
  'no text before or after it, no code fence, no comments, every string and bracket closed.';

/**
 * The text a repair sends back: only the last whole failure, each rule with field, expected and found values. Every
 * broken rule is named before any is named twice; what does not fit is counted. At most `maximumFeedbackBytes`.
 */
export function renderFeedback(problems: readonly Problem[]): string {
  const lines = [heading];
  let left = maximumFeedbackBytes - utf8Length(heading) - utf8Length(remainder(problems.length));
  let omitted = 0;
  for (const problem of byRule(problems)) {
    const line = `\n- ${describe(problem)}`;
    const bytes = utf8Length(line);
    if (bytes > left) omitted += 1;
    else {
      lines.push(line);
      left -= bytes;
    }
  }
  return lines.join('') + (omitted > 0 ? remainder(omitted) : '');
}

function remainder(count: number): string {
  return `\n- and ${count} more of these and similar problems.`;
}

function describe({ rule, pointer, message, expected, found }: Problem): string {
  const field = clipped(pointer === '' ? 'the whole record' : pointer, maximumValueBytes);
  const said = clipped(message, 2 * maximumValueBytes);
  const parts = [`${field}: ${said} [rule ${clipped(rule, maximumValueBytes)}]`];
  if (expected !== null) parts.push(`expected ${quoted(expected)}`);
  if (found !== null) parts.push(`found ${quoted(found)}`);
  return parts.join('; ');
}

/** Quoted as JSON, so that a value cannot pass for a line of the feedback. */
function quoted(value: string): string {
  return JSON.stringify(clipped(value, maximumValueBytes));
}

/** The first problem of every rule, then the rest, each in the order found. */
function byRule(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  const first: Problem[] = [];
  const rest: Problem[] = [];
  for (const problem of problems) {
    (seen.has(problem.rule) ? rest : first).push(problem);
    seen.add(problem.rule);
  }
  return [...first, ...rest];
}
