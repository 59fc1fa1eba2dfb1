import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { workflowIds } from '../src/domain/workflow-id.js';
import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';
import { mixedClaims } from './support/mixed-claims.js';

/**
 * Pictures of what Endstop shows in the Temporal UI, for docs/temporal-ui: workflows filtered by reason, and one of them
 * with its summary and table of attempts. Needs Chromium on the PATH, or its path in CHROMIUM.
 */
const folder = new URL('../docs/temporal-ui/', import.meta.url).pathname;
const size = { width: 1_440, height: 900 };

const house = await openHouse();
const extract = (text: string) =>
  house.extract({
    specId: 'claim',
    document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(text) },
  });
for (const { text } of mixedClaims(5, 12, 1, { easy: 0.4, mendable: 0.2, hopeless: 0.4 }))
  await extract(text());
const mended = await extract(claimText({ extra: 'The usual deductible applies to this claim.' }));
const exhausted = await extract(claimText({}).replace('Total claimed: 200.00', 'Total claimed: 250.00'));
const { key, run, reason } = exhausted.extraction;
if (reason === null) throw new Error('The document that cannot verify did.');

// Visibility follows a moment later.
const query = `WorkflowType = "extraction" AND EndstopReason = "${reason}"`;
for (let look = 0; (await house.app.engine.list(query, 10)).length === 0 && look < 50; look += 1)
  await pause(200);

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1, colorScheme: 'light' });
const workflows = `${house.temporal.uiUrl}/namespaces/default/workflows`;
mkdirSync(folder, { recursive: true });
await show(page, `${workflows}?query=${encodeURIComponent(query)}`, 'extraction/', 'by-reason.png');
const details = (id: string) => `${workflows}/${encodeURIComponent(id)}`;
// Tall enough for the timeline.
const tall = { ...size, height: 1_240 };
await page.setViewportSize(tall);
await show(page, details(workflowIds.extraction(key)), 'attempt', 'exhausted.png');
await page.setViewportSize(size);
// What the workflow says of itself: its summary, and the attempts as a table.
await page.getByText('User Metadata').first().click();
await pause(2_000);
await page.screenshot({ path: `${folder}attempts.png` });
const good = workflowIds.extraction(mended.extraction.key);
await page.setViewportSize(tall);
await show(page, details(good), 'attempt', 'repaired.png');
await browser.close();
await house.close();
console.log(`Pictures of ${key.slice(0, 12)} (run ${run}, ${reason}) are in docs/temporal-ui.`);
process.exit();

/** Waits until the text is there, and for what comes after it, before it takes the picture. */
async function show(on: Page, url: string, text: string, file: string): Promise<void> {
  await on.goto(url, { waitUntil: 'networkidle' });
  await on.getByText(text).first().waitFor({ timeout: 60_000 });
  await pause(1_500);
  await on.screenshot({ path: `${folder}${file}` });
}
