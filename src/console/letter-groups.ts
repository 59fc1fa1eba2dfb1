import type { Application } from '../application/application.js';
import { selectedGroups } from '../application/redrive.js';
import { failureClasses } from '../domain/failure-class.js';
import { reasons } from '../domain/reason.js';
import type { LetterSelection } from '../domain/redrive.js';
import { given } from '../http/routes/answers.js';
import type { DeadLetterGroup } from '../ports/dead-letter-store.js';
import { oneOf } from './query.js';

/** The name of a group in an address: what its letters have in common, joined. */
export function groupName({
  specId,
  reason,
  failureClass,
  promptVersion,
  schemaVersion,
}: DeadLetterGroup): string {
  return JSON.stringify([specId, reason, failureClass, promptVersion, schemaVersion]);
}

/** What a name selects; null when it is none of ours. */
export function selectionOf(name: string): LetterSelection | null {
  let parts: unknown;
  try {
    parts = JSON.parse(name);
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [specId, reason, failureClass, promptVersion, schemaVersion] = parts.map((part) =>
    typeof part === 'string' ? part.slice(0, 200) : undefined,
  );
  const known = oneOf(reason, reasons);
  if (known === undefined || specId === undefined) return null;
  return given({
    ...{
      specId,
      reason: known,
      failureClass: oneOf(failureClass, failureClasses),
      promptVersion,
      schemaVersion,
    },
  });
}

/** What a redrive of a selection would come to, as far as it can be told without starting anything. */
export interface DryRun {
  /** Of the group. */
  readonly name: string;
  readonly parked: number;
  /** False: this process does not know the spec in the versions that they would run under. */
  readonly isKnown: boolean;
  /** Upper bound: every letter spends its whole cap. */
  readonly mostTokens: number;
}

export async function dryRun(
  app: Application,
  name: string,
  selection: LetterSelection,
  promptVersion: string | null,
): Promise<DryRun> {
  const { parked } = await selectedGroups(app, selection);
  const spec = app.catalogue
    .list()
    .find(
      ({ id, prompt, schemaVersion }) =>
        id === selection.specId &&
        (promptVersion === null
          ? prompt.version === selection.promptVersion && schemaVersion === selection.schemaVersion
          : prompt.version === promptVersion),
    );
  return {
    name,
    parked,
    isKnown: spec !== undefined,
    mostTokens: parked * (spec?.policy.tokenCap ?? 0),
  };
}
