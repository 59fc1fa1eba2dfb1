import type { RunRef } from '../../domain/extraction-input.js';
import type { Observer, Place } from '../../ports/observer.js';

/** What is needed of a logger: one line of facts. */
export interface LineLogger {
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}

/** Writes a line for whatever happens to a run, with its extraction id: names, counts and durations, never a value. */
export function createLogObserver(logger: LineLogger): Observer {
  return {
    slotTaken: () => () => undefined,
    callEnded: (call) => {
      const { mode, result, spending, durationMs } = call;
      const facts = { ...placed(call), mode, result, tokens: spending.tokens, ms: durationMs };
      if (result === 'answered') logger.debug(facts, 'call answered');
      else logger.info(facts, 'call failed');
    },
    attemptEnded: ({ ref, mode, report, durationMs }) => {
      const { attempt, lane, model, result, tokens, calls } = report;
      const verdict = result.kind === 'accepted' ? 'accepted' : result.failureClass;
      const facts = { ...runOf(ref), attempt, lane, model, mode, result: verdict, tokens, calls };
      logger.info({ ...facts, ms: durationMs }, 'attempt ended');
    },
    attemptFailed: (place, fault) => logger.info({ ...placed(place), fault }, 'attempt failed'),
    permitDecided: (ref, attempt, granted) =>
      logger.info({ ...runOf(ref), attempt, granted }, 'repair permit decided'),
    runEnded: ({ ref, outcome, reason, route, attempts, durationMs }) =>
      logger.info({ ...runOf(ref), outcome, reason, route, attempts, ms: durationMs }, 'extraction ended'),
    webhookTried: ({ deliveryId, result, durationMs }) =>
      logger.debug({ deliveryId, result, ms: durationMs }, 'webhook tried'),
  };
}

function runOf({ key, run, specId, tenant }: RunRef) {
  return { extractionId: key, run, spec: specId, tenant };
}

function placed({ ref, attempt, lane, model }: Place) {
  return { ...runOf(ref), attempt, lane, model };
}
