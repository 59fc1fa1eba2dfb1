import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { historyText } from '../test/support/decoded-history.js';
import { scrubbed } from '../test/support/scrubbed-history.js';
import { recordedScenarios, recordedSpecs } from '../test/workflows/recorded-scenarios.js';
import { openScene } from '../test/workflows/scene.js';

/**
 * Records one history for each scenario and workflow type on a real server, into test/fixtures/histories/<version>.
 * A scenario is recorded once in a version: its histories stay what running documents of that version would bring along.
 */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const folder = new URL(`../test/fixtures/histories/${version}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
const kept = new Set(readdirSync(folder).map((file) => file.split('.')[0]));
const missing = recordedScenarios.filter(({ name }) => !kept.has(name));
if (missing.length === 0) {
  process.stderr.write(
    `The histories of ${version} are there already; delete some in test/fixtures/histories/${version} to record them again.\n`,
  );
  process.exit(1);
}

const scene = await openScene({ specs: recordedSpecs });
const files = new Map<string, string>();
try {
  for (const { name, run } of missing) {
    for (const workflowId of await run(scene)) {
      const { type } = await scene.client.workflow.getHandle(workflowId).describe();
      files.set(`${name}.${type}.json`, scrubbed(await historyText(scene.client, workflowId)));
    }
  }
} finally {
  await scene.close();
}
for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
process.stdout.write(`Recorded ${files.size} histories of ${version}.\n`);
process.exit(0);
