import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pino } from 'pino';
import { chromium, type Page } from 'playwright-core';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import { createKey } from '../../src/application/api-keys.js';
import { createConsole } from '../../src/console/app.js';
import type { Role } from '../../src/domain/principal.js';
import { type RunningServer, serve } from '../../src/http/server.js';
import { type House, openHouse } from '../support/house.js';
import { createPeople, type Looks, type Person } from './people.js';

export type { Person };

/** Debian's, or whichever is named. Null: there is none, and nothing can be looked at. */
export function chromiumPath(): string | null {
  const named = process.env['ENDSTOP_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync(
      'sh',
      ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'],
      {
        encoding: 'utf8',
      },
    ).trim();
  } catch {
    return null;
  }
}

export interface Scene {
  readonly house: House;
  readonly tenant: string;
  /** What went wrong in any page that anybody opened: refused by the policy, thrown, or asked of another server. */
  readonly complaints: string[];
  url(): string;
  /** Signs in with a key of these roles; without one as whoever holds the key of the setting, under this name. */
  signIn(who: string, looks?: Looks): Promise<Person>;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

const environmentKey = 'the-key-of-the-setting';
const roles: Readonly<Record<string, readonly Role[]>> = {
  viewer: ['read'],
  reviewer: ['read', 'review'],
  operator: ['submit', 'read', 'review', 'operate'],
};

/** One stack and one browser for all tests. */
export async function openScene(executablePath: string): Promise<Scene> {
  const tenant = 'acme';
  const [house, browser] = await Promise.all([
    openHouse(),
    chromium.launch({
      executablePath,
      // Without a process that plays a graphics card: there is none, and playing one takes time.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-software-rasterizer'],
    }),
  ]);
  const pages = createDocumentReader();
  const logger = pino({ level: 'silent' });
  const { app } = house;
  const keys = new Map<string, string>();
  for (const [name, granted] of Object.entries(roles)) {
    const { secret } = await createKey(app, { name, tenant, roles: granted });
    keys.set(name, secret);
  }
  const complaints: string[] = [];
  let port = 0;
  let server: RunningServer | null = null;
  const startServer = async () => {
    const site = createConsole({
      ...{ app, pages, apiKey: environmentKey, keyless: false, inFlight: 4, logger, version: '0.1.0' },
      pulseMs: 200,
    });
    server = await serve({ app, tenant, inFlight: 4, logger, version: '0.1.0', pages: site }, {
      host: '127.0.0.1',
      port,
      key: environmentKey,
    } as Parameters<typeof serve>[1]);
    port = Number(new URL(server.url).port);
  };
  await startServer();
  const url = () => `http://127.0.0.1:${port}`;
  const people = createPeople(browser, {
    url: url(),
    keyOf: (who) => keys.get(who) ?? environmentKey,
    complaints,
  });
  return {
    house,
    tenant,
    complaints,
    url,
    signIn: people,
    stopServer: async () => {
      await server?.close(0);
      server = null;
    },
    startServer,
    close: async () => {
      await browser.close();
      await server?.close(0);
      await pages.close();
      await house.close();
    },
  };
}

/** Rows that the list at an address has, as its page comes from the server. */
export const rowsAt = (page: Page, path: string) =>
  page.evaluate<number>(`fetch(${JSON.stringify(path)})
    .then((answer) => answer.text())
    .then((text) => new DOMParser().parseFromString(text, 'text/html').querySelectorAll('#rows tbody tr').length)`);

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong with a page under WCAG 2.2 A and AA, and as best practice; nothing is what is wanted. */
export const violationsOn = (page: Page) => violations(page, { type: 'tag', values: axeTags });

/** The same of a page that is light, and what is wrong with its colours in the dark: nothing else differs there. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const light = await violationsOn(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((each) => `in the dark, ${each}`)];
}

/** The same of what hangs on the room there is: sizes of targets, and what scrolls. */
export const violationsOfRoom = (page: Page) =>
  violations(page, { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] });

async function violations(
  page: Page,
  runOnly: { readonly type: 'tag' | 'rule'; readonly values: readonly string[] },
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false })}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
