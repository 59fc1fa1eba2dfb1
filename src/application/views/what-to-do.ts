import type { ExtractionSummary } from './extraction-view.js';

/** What would mend a run that stopped for want of a spec; null where the reason itself says enough. */
export function whatToDo({
  id,
  reason,
  spec,
  schemaVersion,
  promptVersion,
}: Pick<ExtractionSummary, 'id' | 'reason' | 'spec' | 'schemaVersion' | 'promptVersion'>): string | null {
  if (reason !== 'spec_unavailable') return null;
  return (
    `No worker knows ${spec} schema ${schemaVersion}, prompt ${promptVersion}: stop the stack or the workers and start ` +
    `them with its file (ENDSTOP_SPECS=FILE endstop up), then "endstop redrive ${id.slice(0, 12)}".`
  );
}
