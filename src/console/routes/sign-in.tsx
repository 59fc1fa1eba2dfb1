import type { Context, Hono } from 'hono';
import type { Keyring } from '../../application/api-keys.js';
import type { Principal } from '../../domain/principal.js';
import { actsForOthers } from '../../http/access.js';
import { isOpen } from '../access.js';
import type { ConsoleDeps, ConsoleEnv } from '../environment.js';
import { nameFault } from '../name-fault.js';
import { bare } from '../render.js';
import { beginSession, endSession, readSession } from '../session.js';

/** Signing in with a key, or, on a machine where there is none, with a name alone. */
export function signInRoutes(site: Hono<ConsoleEnv>, deps: ConsoleDeps, keyring: Keyring): void {
  site.get('/sign-in', async (c) => {
    const needsKey = !(await isOpen(deps, keyring));
    return form(c, {
      needsKey,
      after: c.req.query('then') ?? '',
      name: readSession(c)?.name ?? '',
      fault: null,
    });
  });

  site.post('/sign-in', async (c) => {
    const { key = '', name = '', then = '' } = await fieldsOf(c);
    const needsKey = !(await isOpen(deps, keyring));
    const principal = needsKey ? await keyring.principalOfKey(key.trim()) : null;
    const fault = needsKey ? faultInKey(principal, name) : nameFault(name);
    if (fault !== null) return form(c, { needsKey, after: then, name, fault });
    const own = principal === null || actsForOthers(principal) ? null : principal.name;
    beginSession(c, { name: own === null ? name.trim() : '', key: needsKey ? key.trim() : '' });
    if (own !== null && !['', own].includes(name.trim())) return actsAs(c, own, name.trim(), ownPath(then));
    return c.redirect(ownPath(then), 303);
  });

  site.post('/sign-out', async (c) => {
    const { then = '' } = await fieldsOf(c);
    endSession(c);
    return c.redirect((await isOpen(deps, keyring)) ? ownPath(then) : '/console/sign-in', 303);
  });
}

function faultInKey(principal: Principal | null, name: string): string | null {
  if (principal === null) return 'This key opens nothing here: it is misspelt, or was revoked.';
  if (!principal.roles.includes('read'))
    return `The key "${principal.name}" may not read, so there is nothing to show.`;
  // The key of the setting is nobody's in particular: the trail of reviews needs a name.
  if (!actsForOthers(principal)) return null;
  return name.trim() === ''
    ? 'This is the key of ENDSTOP_API_KEY, which is nobody’s in particular: give it again, and your name.'
    : nameFault(name);
}

/** They said another name than the key has. */
function actsAs(c: Context, own: string, name: string, then: string): Response {
  const body = (
    <div class="stack">
      <h1>Signed in</h1>
      <p>
        This key has a name: you act as <b>{own}</b>, not as <bdi>{name}</bdi>.
      </p>
      <p>
        <a class="button go" href={then}>
          Go on
        </a>
      </p>
    </div>
  );
  return bare(c, { title: 'Signed in', body });
}

interface Asked {
  readonly needsKey: boolean;
  readonly after: string;
  /** As it was typed, or said before. */
  readonly name: string;
  readonly fault: string | null;
}

function form(c: Context<ConsoleEnv>, { needsKey, after, name, fault }: Asked): Response {
  const body = (
    <form method="post" action="/console/sign-in">
      <h1>{needsKey ? 'Sign in' : 'Say who you are'}</h1>
      <p class="second">
        {needsKey
          ? 'With an API key of this server. The browser keeps it for 12 hours, where no script can read it.'
          : 'This server asks for no key and answers this machine only. Your name stands in the trail of every review that you decide.'}
      </p>
      {fault === null ? null : (
        <p class="note bad" role="alert">
          {fault}
        </p>
      )}
      <input type="hidden" name="then" value={after} />
      {needsKey ? (
        <label>
          API key
          <input type="password" name="key" required autofocus autocomplete="current-password" />
        </label>
      ) : null}
      <label>
        Your name
        <input
          name="name"
          required={!needsKey}
          autofocus={!needsKey}
          maxlength={100}
          autocomplete="name"
          value={name}
          {...(needsKey ? { 'aria-describedby': 'when-named' } : {})}
        />
      </label>
      {needsKey ? (
        <p class="second small" id="when-named">
          Only needed with the key that this server was started with (ENDSTOP_API_KEY). A key that was made
          with <code>endstop keys create</code> has a name, and acts in it.
        </p>
      ) : null}
      <button type="submit" class="go">
        {needsKey ? 'Sign in' : 'Go on'}
      </button>
    </form>
  );
  return bare(c, { title: 'Sign in', body, status: fault === null ? 200 : 422 });
}

/** Only a path of the console: nobody is sent elsewhere by a link to the sign-in page. */
function ownPath(then: string): string {
  return /^\/console(?:[/?]|$)/.test(then) && !then.includes('\\') ? then : '/console';
}

async function fieldsOf(c: Context<ConsoleEnv>): Promise<Readonly<Record<string, string>>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
