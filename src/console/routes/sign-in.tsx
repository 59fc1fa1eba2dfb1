import type { Context, Hono } from 'hono';
import type { Keyring } from '../../application/api-keys.js';
import { actsForOthers } from '../../http/access.js';
import { isOpen } from '../access.js';
import type { ConsoleDeps, ConsoleEnv } from '../environment.js';
import { nameFault } from '../name-fault.js';
import { bare } from '../render.js';
import { beginSession, endSession, readSession } from '../session.js';

/** Signing in with a key, or, on a machine where there is none, with a name alone. */
export function signInRoutes(site: Hono<ConsoleEnv>, deps: ConsoleDeps, keyring: Keyring): void {
  site.get('/sign-in', async (c) => form(c, !(await isOpen(deps, keyring)), c.req.query('then') ?? '', null));

  site.post('/sign-in', async (c) => {
    const { key = '', name = '', then = '' } = await fieldsOf(c);
    const needsKey = !(await isOpen(deps, keyring));
    const fault = needsKey ? await faultInKey(keyring, key.trim(), name) : nameFault(name);
    if (fault !== null) return form(c, needsKey, then, fault);
    beginSession(c, { name: name.trim(), key: needsKey ? key.trim() : '' });
    return c.redirect(ownPath(then), 303);
  });

  site.post('/sign-out', async (c) => {
    const { then = '' } = await fieldsOf(c);
    endSession(c);
    return c.redirect((await isOpen(deps, keyring)) ? ownPath(then) : '/console/sign-in', 303);
  });
}

async function faultInKey(keyring: Keyring, key: string, name: string): Promise<string | null> {
  const principal = await keyring.principalOfKey(key);
  if (principal === null) return 'This key opens nothing here: it is misspelt, or was revoked.';
  if (!principal.roles.includes('read'))
    return `The key "${principal.name}" may not read, so there is nothing to show.`;
  // The key of the setting is nobody's in particular: the trail of reviews needs a name.
  return actsForOthers(principal) ? nameFault(name) : null;
}

function form(c: Context<ConsoleEnv>, needsKey: boolean, then: string, fault: string | null): Response {
  const body = (
    <form method="post" action="/console/sign-in">
      <h1>{needsKey ? 'Sign in' : 'Say who you are'}</h1>
      <p class="second">
        {needsKey
          ? 'With an API key of this server. The browser keeps it for 12 hours, where no script can read it. A key with a name acts in its own; with the key of the setting, say who you are.'
          : 'This server asks for no key and answers this machine only. Your name stands in the trail of every review that you decide.'}
      </p>
      {fault === null ? null : (
        <p class="note bad" role="alert">
          {fault}
        </p>
      )}
      <input type="hidden" name="then" value={then} />
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
          required
          autofocus={!needsKey}
          maxlength={100}
          autocomplete="name"
          value={readSession(c)?.name ?? ''}
        />
      </label>
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
