import type { Call } from '../../ports/attempt-store.js';
import type { Store } from '../../ports/store.js';
import type { ExplainedDiagnosis } from '../read-outcome.js';
import type { ExtractionSummary } from './extraction-view.js';

/** What the last call of a run says about why the model's server gave no reply. */
export type LastCall = Pick<Call, 'provider' | 'faultClass' | 'status'>;
type Stopped = Pick<
  ExtractionSummary,
  'id' | 'reason' | 'spec' | 'schemaVersion' | 'promptVersion' | 'fileName'
>;

/** What is known besides the run's own row. */
export interface StopCause {
  readonly lastCall?: LastCall | null;
  readonly diagnosis?: ExplainedDiagnosis | null;
}

/** The run's last call, where what to do depends on it; else null, and when no call was made. */
export async function lastCallOf(
  store: Store,
  { id, run, reason }: Pick<ExtractionSummary, 'id' | 'run' | 'reason'>,
): Promise<LastCall | null> {
  if (reason !== 'provider_unavailable' && reason !== 'provider_rejected') return null;
  return (await store.attempts.calls(id, run)).at(-1) ?? null;
}

/** What would mend a run that stopped for want of a spec, of a model or of a readable file; null where the reason itself says enough. */
export function whatToDo(run: Stopped, { lastCall = null, diagnosis = null }: StopCause = {}): string | null {
  const { id, reason, spec, schemaVersion, promptVersion } = run;
  const command = `endstop redrive ${id.slice(0, 12)}`;
  const redrive = `then "${command}"`;
  switch (reason) {
    case 'spec_unavailable':
      return (
        `No worker knows ${spec} schema ${schemaVersion}, prompt ${promptVersion}: stop the stack or the workers and start ` +
        `them with its file (ENDSTOP_SPECS=FILE endstop up), then "ENDSTOP_SPECS=FILE ${command}".`
      );
    case 'provider_unavailable':
      return `${unavailable(lastCall)}, ${redrive}.`;
    case 'provider_rejected':
      return lastCall === null ? null : `${rejected(lastCall)}, ${redrive}.`;
    case 'unreadable_document':
      return diagnosis?.kind === 'unreadable'
        ? `${run.fileName ?? 'The document'} ${unreadable[diagnosis.fault] ?? 'cannot be read: hand in another copy'}.`
        : null;
    default:
      return null;
  }
}

const startAgain = 'start again';

function unavailable(call: LastCall | null): string {
  if (call === null)
    return 'No call was made, because those before kept failing: see "endstop doctor", and mend that';
  const server = serverName(call);
  switch (call.faultClass) {
    case 'connection_refused':
      return `Nothing answered at ${server} (refused): check ANTHROPIC_BASE_URL and whether that server runs, ${startAgain}`;
    case 'unknown_host':
      return `No host ${server} was found: check ANTHROPIC_BASE_URL and the network, ${startAgain}`;
    case 'connection':
      return `The connection to ${server} failed: check ANTHROPIC_BASE_URL and the network, ${startAgain}`;
    case 'stalled':
      return `${atStart(server)} did not answer in time: wait until it does`;
    default:
      return `${atStart(server)} answered ${answer(call)}: wait until it is well`;
  }
}

const refusals: Readonly<Record<string, string>> = {
  unauthenticated: 'set ANTHROPIC_API_KEY to one that it takes, start again',
  forbidden: 'allow this key to use the model',
  payment_required: "settle the account's billing",
  spend_limit: "raise the account's spend limit or wait until it resets",
  not_found: "check the spec's model and ANTHROPIC_BASE_URL, start again",
  too_large: 'use a model that takes larger documents',
};

function rejected(call: LastCall): string {
  const mend = refusals[call.faultClass ?? ''] ?? 'see why in its log, and mend that';
  return `${atStart(serverName(call))} refused the call (${answer(call)}): ${mend}`;
}

function answer({ status, faultClass }: LastCall): string {
  return [status, faultClass?.replaceAll('_', ' ')].filter(Boolean).join(', ') || 'nothing';
}

function atStart(server: string): string {
  return server.replace(/^the /, 'The ');
}

function serverName({ provider }: LastCall): string {
  if (provider === 'anthropic') return 'api.anthropic.com';
  return provider === 'stand-in' ? 'the stand-in' : (provider ?? 'the model server');
}

/** A redrive would read the same bytes again. */
const unreadable: Readonly<Record<string, string>> = {
  empty: 'is empty: hand in the right file',
  too_large: 'has more than 20 MiB: hand it in smaller, or in parts',
  mislabelled: 'is not what its name or type says, by its bytes: hand in the right file',
  encrypted: 'is protected by a password: hand it in without',
  corrupt: 'is damaged or cut off: hand in a whole copy',
};
