import {
  ApplicationError,
  type ApplicationErrorCode,
  type RequestFault,
} from '../application/application-error.js';
import { ConfigError } from '../config-error.js';
import { StackError } from '../embedded/stack-error.js';
import { EngineUnavailable, ReviewClosed } from '../ports/engine.js';
import { BadCursor } from '../ports/page.js';
import { StoreUnavailable } from '../ports/store.js';
import { SpecError } from '../spec/spec-error.js';

/** Exit codes for scripts. 0 is verified or done. */
export const exitCodes = { fault: 1, usage: 2, unverified: 3 } as const;

/** 2 for what asking differently would mend, 1 for what stands in the way whatever is asked. */
const byCode: Record<ApplicationErrorCode, 1 | 2> = {
  invalid_request: 2,
  media_type_mismatch: 2,
  document_too_large: 2,
  budget_exceeds_spec: 2,
  unknown_spec: 2,
  not_found: 2,
  batch_changed: 1,
  label_changed: 2,
  not_redrivable: 2,
  unmet_rules: 2,
  too_many: 1,
  gone: 1,
  review_not_open: 1,
  review_held: 1,
  review_changed: 1,
  lease_lost: 1,
  request_in_flight: 1,
  request_differs: 2,
  busy: 1,
  unavailable: 1,
};

/** A fault as a person sees it: one sentence, more lines only where they say more, and the exit code. Never a stack. */
export interface CliFault {
  readonly message: string;
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** `specSource` says where the known specs come from. */
export function readCliFault(error: unknown, specSource?: () => string): CliFault {
  if (error instanceof ApplicationError) {
    const isOfSpecs = error.code === 'unknown_spec' || error.message.endsWith(' is not known here.');
    const from = isOfSpecs && specSource !== undefined ? ` (${specSource()}).` : null;
    // Pointers into a request mean nothing on a command line, except those into a file of values.
    const lines = error.faults.filter(({ pointer }) => pointer.startsWith('/values/')).map(faultLine);
    const message = from === null ? error.message : error.message.replace(/\.$/, from);
    return { message, lines, exitCode: byCode[error.code] };
  }
  if (error instanceof StackError) return fault(error.message, exitCodes.fault, error.logLines);
  if (error instanceof ConfigError || error instanceof SpecError || error instanceof BadCursor) {
    return fault(error.message, exitCodes.usage);
  }
  if (
    error instanceof StoreUnavailable ||
    error instanceof EngineUnavailable ||
    error instanceof ReviewClosed ||
    // Names the SQL state and nothing that is stored; its class belongs to an adapter.
    (error instanceof Error && error.name === 'StatementRefused')
  ) {
    return fault(error.message, exitCodes.fault);
  }
  return fault(`Something unexpected went wrong (${describe(error)}).`, exitCodes.fault);
}

function fault(message: string, exitCode: number, lines: readonly string[] = []): CliFault {
  return { message, lines, exitCode };
}

function faultLine({ pointer, detail }: RequestFault): string {
  return `${pointer.slice('/values'.length)} ${detail}`;
}

/** Kind and place, never the error's own text: that may quote a document. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame = /^\s+at .*?([^\\/()\s]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1];
  return frame === undefined ? error.name : `${error.name} at ${frame}`;
}
