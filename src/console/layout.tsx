import type { Child } from 'hono/jsx';
import { assetImports, assetUrl } from './assets.js';
import type { NavCounts } from './nav-counts.js';
import { count } from './parts/format.js';
import type { Visitor } from './visitor.js';

/** What every page is told beside its own content. */
export interface Frame {
  readonly visitor: Visitor;
  readonly counts: NavCounts;
  readonly theme: 'light' | 'dark' | null;
  /** False where signing in is needed and possible: then one can also sign out. */
  readonly isOpen: boolean;
  /** What is news to this page is whatever the pulse says differently; null: not known. */
  readonly news: string | null;
  /** The page itself, to come back to after saying who one is. */
  readonly path: string;
}

const places = [
  ['overview', '/console', 'Overview'],
  ['extractions', '/console/extractions', 'Extractions'],
  ['review', '/console/reviews', 'Review'],
  ['letters', '/console/dead-letters', 'Dead letters'],
  ['batches', '/console/batches', 'Batches'],
  ['planner', '/console/planner', 'Planner'],
  ['specs', '/console/specs', 'Specs'],
] as const;

export type Place = (typeof places)[number][0];

/** A whole page: bar, content, scripts. `wide` pages use all of the window and bring their own `main`. */
export function Layout({
  title,
  place,
  frame,
  scripts = [],
  styles = [],
  wide = false,
  children,
}: {
  readonly title: string;
  readonly place: Place | null;
  readonly frame: Frame;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly wide?: boolean;
  readonly children?: Child;
}) {
  return (
    <Page title={title} theme={frame.theme} scripts={['live.js', ...scripts]} styles={styles}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Bar place={place} frame={frame} isQuiet={wide} />
      {wide ? children : <main id="content">{children}</main>}
    </Page>
  );
}

/** The bare document around a page. */
export function Page({
  title,
  theme,
  scripts = [],
  styles = [],
  children,
}: {
  readonly title: string;
  readonly theme: Frame['theme'];
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly children?: Child;
}) {
  const own = ['console.js', ...scripts];
  return (
    <html lang="en" {...(theme === null ? {} : { 'data-theme': theme })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Endstop`}</title>
        <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
        {['console.css', ...styles].map((name) => (
          <link rel="stylesheet" href={assetUrl(name)} />
        ))}
        {own.map((name) => (
          <script type="module" src={assetUrl(name)} />
        ))}
        {assetImports(own).map((name) => (
          <link rel="modulepreload" href={assetUrl(name)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}

export function Brand() {
  return (
    <a class="brand" href="/console">
      <svg viewBox="0 0 62 32" aria-hidden="true">
        <path d="M0 14.5h32v3H0z" class="s-ink" />
        <path d="M24 10h15v12H24z" class="s-accent" />
        <path d="M52 0h7v32h-7z" class="s-ink" />
      </svg>
      Endstop
    </a>
  );
}

function Bar({
  place,
  frame,
  isQuiet,
}: {
  readonly place: Place | null;
  readonly frame: Frame;
  /** Does not fetch itself again: somebody is at work on the page. */
  readonly isQuiet: boolean;
}) {
  const { visitor, counts, isOpen, news, path } = frame;
  const numbers: Partial<Record<Place, number | null>> = { review: counts.reviews, letters: counts.letters };
  return (
    <header class={isQuiet ? 'bar whole' : 'bar'} data-news={news ?? ''}>
      <Brand />
      <nav aria-label="Pages" id="pages" {...(isQuiet ? {} : { 'data-live': true })}>
        {places.map(([name, href, word]) => (
          <a href={href} {...(name === place ? { 'aria-current': 'page' } : {})}>
            {word}
            {typeof numbers[name] === 'number' ? <span>{count(numbers[name] ?? 0)}</span> : null}
          </a>
        ))}
      </nav>
      <div class="tools">
        <search>
          <form class="find" action="/console/find">
            <input
              type="search"
              name="q"
              aria-label="Find an extraction or a review by its ID, by a tag, or by what its document is called"
              placeholder="ID, tag or file"
            />
            <kbd data-key-of="find">/</kbd>
          </form>
        </search>
        <span class="zone" data-zone>
          UTC
        </span>
        <button type="button" data-keys hidden>
          Keys
        </button>
        <button type="button" data-theme-switch>
          Theme<span class="aloud">: change between light and dark</span>
        </button>
        {visitor.signedIn ? (
          <form method="post" action="/console/sign-out">
            <input type="hidden" name="then" value={path} />
            <button type="submit" title={`${isOpen ? 'Change your name' : 'Sign out'}: ${visitor.name}`}>
              <span class="aloud">{isOpen ? 'Give up the name ' : 'Sign out '}</span>
              <bdi class="who">{visitor.name}</bdi>
            </button>
          </form>
        ) : (
          <a href={`/console/sign-in?then=${encodeURIComponent(path)}`}>
            {isOpen ? 'Say who you are' : 'Sign in'}
          </a>
        )}
      </div>
    </header>
  );
}
