import type { AttemptDecision, Feedback } from '../src/domain/decision.js';
import type { RunRef } from '../src/domain/extraction-input.js';
import type { ExtractorRequest } from '../src/ports/extractor.js';
import type { Store } from '../src/ports/store.js';
import type { Spec } from '../src/spec/spec.js';
import { renderSystemPrompt } from '../src/spec/system-prompt.js';
import { renderTask } from '../src/spec/task.js';
import { formatReminder, renderFeedback } from '../src/verification/feedback.js';

/** The request of one attempt: cached prefix, document, task, and on a repair the last failure only. */
export function buildRequest(
  spec: Spec,
  { model, maxTokens }: AttemptDecision,
  document: { readonly mediaType: string; readonly bytes: Uint8Array },
  feedback: string | null,
): ExtractorRequest {
  return {
    model,
    maxTokens,
    mode: spec.mode,
    system: renderSystemPrompt(spec),
    schema: spec.jsonSchema,
    document: { mediaType: document.mediaType, bytes: document.bytes },
    task: renderTask(spec),
    feedback,
  };
}

/** Renders what the decision says the model is told; null when nothing. */
export async function feedbackText(store: Store, ref: RunRef, feedback: Feedback): Promise<string | null> {
  switch (feedback.kind) {
    case 'none':
      return null;
    case 'format':
      return formatReminder;
    case 'problems':
      return renderFeedback(await store.attempts.problems(ref, feedback.ofAttempt));
  }
}
