import type { Child } from 'hono/jsx';
import type { Policy } from '../../domain/policy.js';
import type { Spec } from '../../spec/spec.js';

/** A version of a spec, as runs and letters name it. */
interface Version {
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
}

/** Prompt versions of the same spec that this server has, other than this one. */
export function otherPrompts(specs: readonly Spec[], { spec, promptVersion }: Version): readonly string[] {
  const versions = specs.filter(({ id }) => id === spec).map(({ prompt: { version } }) => version);
  return [...new Set(versions)].filter((version) => version !== promptVersion).sort();
}

/** The bounds of a run of the same spec under another prompt of this server. */
export function policyOf(specs: readonly Spec[], { spec }: Version, promptVersion: string): Policy | null {
  return specs.find(({ id, prompt }) => id === spec && prompt.version === promptVersion)?.policy ?? null;
}

/** What is wrong with runs that met no worker with their spec, and the two ways out. */
export function SpecGone({
  version,
  specs,
  then,
  instead,
}: {
  readonly version: Version;
  readonly specs: readonly Spec[];
  /** What to do once workers have it: "redrive it". */
  readonly then: string;
  /** How to run it under another prompt; null where this server has no other. */
  readonly instead: Child | null;
}) {
  const { spec, schemaVersion, promptVersion } = version;
  const isKnown = specs.some(
    (each) =>
      each.id === spec && each.schemaVersion === schemaVersion && each.prompt.version === promptVersion,
  );
  return (
    <>
      <p>
        No worker had {spec} schema {schemaVersion}, prompt {promptVersion}: no call was made, and nothing is
        wrong with the document.{' '}
        {isKnown
          ? 'This server has that version, its workers had not.'
          : 'This server does not have it either.'}
      </p>
      <ul class="ways">
        <li>
          Start the workers with its file, <code>ENDSTOP_SPECS=FILE npx endstop up</code>, then {then}.
        </li>
        <li>
          {instead ??
            `Or run it under another version of ${spec}: this server has none, so start it with one first.`}
        </li>
      </ul>
    </>
  );
}
