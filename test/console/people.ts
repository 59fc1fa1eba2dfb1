import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Somebody at a browser of their own. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  open(path: string): Promise<number>;
  /** Leaves the browser to whoever comes next by the same name: who left it changed closes the context instead. */
  close(): Promise<void>;
}

export interface Looks {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
}

/**
 * Signs people in: through the form the first time, and whoever comes again goes on in a browser of theirs that nobody
 * uses, or brings the session along in a new one. What goes wrong in any page is a complaint.
 */
export function createPeople(
  browser: Browser,
  {
    url,
    keyOf,
    complaints,
  }: { readonly url: string; readonly keyOf: (who: string) => string; readonly complaints: string[] },
) {
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();
  const left = new Map<string, Person[]>();

  return async (who: string, { theme = 'light', width = 1280 }: Looks = {}): Promise<Person> => {
    const name = `${theme} ${width} ${who}`;
    const again = left.get(name)?.pop();
    if (again !== undefined) return again;
    const viewport = { width, height: 900 };
    const storageState = sessions.get(who);
    const context = await browser.newContext({
      ...{ baseURL: url, colorScheme: theme, viewport, timezoneId: 'Asia/Bahrain', reducedMotion: 'reduce' },
      ...(storageState === undefined ? {} : { storageState }),
    });
    context.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(url) && !/^(blob|data):/.test(address)) complaints.push(`asked ${address}`);
    });
    context.on('weberror', (error) => complaints.push(`threw ${error.error().message}`));
    context.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
    });
    const page = await context.newPage();
    if (storageState === undefined) {
      await page.goto('/console/sign-in?then=/console/planner');
      await page.getByLabel('API key').fill(keyOf(who));
      await page.getByLabel('Your name').fill(who);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${url}/console/planner`);
      sessions.set(who, await context.storageState());
    }
    const person: Person = {
      page,
      context,
      open: async (path) => (await page.goto(path))?.status() ?? 0,
      close: async () => {
        for (const other of context.pages()) if (other !== page) await other.close();
        // A page that asks for nothing while nobody looks.
        await page.goto('/console/sign-in');
        await page.evaluate('sessionStorage.clear()');
        await page.setViewportSize(viewport);
        left.set(name, [...(left.get(name) ?? []), person]);
      },
    };
    return person;
  };
}
