import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pino } from 'pino';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import { createKey } from '../../src/application/api-keys.js';
import { createConsole } from '../../src/console/app.js';
import type { Role } from '../../src/domain/principal.js';
import { type RunningServer, serve } from '../../src/http/server.js';
import { type House, openHouse } from '../support/house.js';

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

/** Somebody at a browser of their own. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  open(path: string): Promise<number>;
  close(): Promise<void>;
}

export interface Scene {
  readonly house: House;
  readonly tenant: string;
  /** What went wrong in any page that anybody opened: refused by the policy, thrown, or asked of another server. */
  readonly complaints: string[];
  url(): string;
  /** Signs in with a key of these roles; without one as whoever holds the key of the setting, under this name. */
  signIn(
    who: string,
    options?: { readonly theme?: 'light' | 'dark'; readonly width?: number },
  ): Promise<Person>;
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
    chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
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
  return {
    house,
    tenant,
    complaints,
    url,
    signIn: (who, options) =>
      signIn(browser, { url: url(), key: keys.get(who), who, complaints, ...options }),
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

async function signIn(
  browser: Browser,
  asked: {
    readonly url: string;
    readonly key: string | undefined;
    readonly who: string;
    readonly complaints: string[];
    readonly theme?: 'light' | 'dark';
    readonly width?: number;
  },
): Promise<Person> {
  const { url, key, who, complaints, theme = 'light', width = 1280 } = asked;
  const context = await browser.newContext({
    ...{ baseURL: url, colorScheme: theme, viewport: { width, height: 900 }, timezoneId: 'Asia/Bahrain' },
  });
  context.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(blob|data):/.test(address)) complaints.push(`asked ${address}`);
  });
  const page = await context.newPage();
  context.on('weberror', (error) => complaints.push(`threw ${error.error().message}`));
  context.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto('/console/sign-in');
  await page.getByLabel('API key').fill(key ?? environmentKey);
  await page.getByLabel('Your name').fill(who);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/console`);
  return {
    page,
    context,
    open: async (path) => (await page.goto(path))?.status() ?? 0,
    close: () => context.close(),
  };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong with a page under WCAG 2.2 A and AA, and as best practice; nothing is what is wanted. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate<readonly Violation[]>(`axe
    .run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(axeTags)} } })
    .then(({ violations }) => violations)`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
