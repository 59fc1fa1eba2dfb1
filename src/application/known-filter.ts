import type { ReportFilter } from '../ports/report-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { currentSpec } from './submit-extraction.js';

/**
 * Asked when a filter finds no run: a misspelt name would look like one under which nothing was run. A spec or a version
 * whose file is gone is still known by what was run under it.
 * @throws ApplicationError `unknown_spec`, or `invalid_request` for a prompt version that there never was.
 */
export async function assertKnownFilter(
  { store, catalogue }: Pick<Application, 'store' | 'catalogue'>,
  { specId, promptVersion }: Pick<ReportFilter, 'specId' | 'promptVersion'>,
): Promise<void> {
  const specs = catalogue.list().filter(({ id }) => specId === undefined || id === specId);
  const ids = specId === undefined ? [...new Set(specs.map(({ id }) => id))] : [specId];
  const used = (await Promise.all(ids.map((id) => store.specVersions.used(id)))).flat();
  if (specId !== undefined && used.length === 0) currentSpec({ catalogue }, specId);
  if (promptVersion === undefined) return;
  const prompts = used.filter(({ label }) => label === 'prompt').map(({ version }) => version);
  const known = [...new Set([...specs.map(({ prompt }) => prompt.version), ...prompts])].sort();
  if (known.includes(promptVersion)) return;
  throw new ApplicationError(
    'invalid_request',
    `There never was a prompt version "${promptVersion}"; known: ${known.length === 0 ? 'none' : known.join(', ')}.`,
  );
}
