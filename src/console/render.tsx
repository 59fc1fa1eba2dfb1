import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Keyring } from '../application/api-keys.js';
import type { Application } from '../application/application.js';
import { isOpen } from './access.js';
import type { ConsoleDeps, ConsoleEnv } from './environment.js';
import { Brand, type Frame, Layout, Page, type Place } from './layout.js';
import type { NavCounts } from './nav-counts.js';

/** One page as a route hands it over. */
export interface Shown {
  readonly title: string;
  readonly place: Place | null;
  readonly body: Child;
  readonly status?: ContentfulStatusCode;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly wide?: boolean;
}

export interface Pages {
  /** A page in the house's frame. */
  show(c: Context<ConsoleEnv>, shown: Shown): Promise<Response>;
  /** A page for somebody who is not known yet. */
  bare(c: Context<ConsoleEnv>, shown: Pick<Shown, 'title' | 'body' | 'status'>): Response;
}

export function createPages(
  deps: Pick<ConsoleDeps, 'keyless' | 'version'>,
  keyring: Keyring,
  navCounts: (app: Application) => Promise<NavCounts>,
): Pages {
  return {
    async show(c, { title, place, body, status = 200, scripts = [], styles = [], wide = false }) {
      const visitor = c.get('visitor');
      const counts = await navCounts(c.get('app'));
      const frame: Frame = {
        ...{ visitor, counts, theme: themeOf(c), news: c.get('news') ?? null },
        isOpen: await isOpen(deps, keyring),
        path: pathOf(c),
      };
      return send(
        c,
        status,
        <Layout title={title} place={place} frame={frame} scripts={scripts} styles={styles} wide={wide}>
          {body}
        </Layout>,
      );
    },
    bare: (c, shown) => bare(c, shown),
  };
}

/** A page for somebody who is not known yet. */
export function bare(
  c: Context<ConsoleEnv>,
  { title, body, status = 200 }: Pick<Shown, 'title' | 'body' | 'status'>,
): Response {
  return send(
    c,
    status,
    <Page title={title} theme={themeOf(c)}>
      <main class="gate" id="content">
        <Brand />
        {body}
      </main>
    </Page>,
  );
}

/** Components are plain functions here, so a page is a string at once. */
function send(c: Context<ConsoleEnv>, status: ContentfulStatusCode, page: Child): Response {
  return c.body(`<!doctype html>${String(page)}`, status, { 'Content-Type': 'text/html; charset=utf-8' });
}

/** Where a page is found again; what was sent to be decided is found at its review. */
function pathOf(c: Context<ConsoleEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' ? `${pathname}${search}` : pathname.replace(/\/(?:decision|compare)$/, '');
}

function themeOf(c: Context<ConsoleEnv>): 'light' | 'dark' | null {
  const theme = getCookie(c, 'endstop_theme');
  return theme === 'light' || theme === 'dark' ? theme : null;
}
