import type { MiddlewareHandler } from 'hono';
import { actsForOthers } from '../http/access.js';
import type { ConsoleEnv } from './environment.js';
import { nameFault } from './name-fault.js';
import { bare } from './render.js';
import { readForm } from './review-desk.js';
import { beginSession } from './session.js';

const asks = /\/reviews\/(?:next|[^/]+\/(?:claim|decision))$/;

/**
 * On a machine without keys, whoever takes a review and has not said who they are is asked once, and then goes on with
 * what they were about to do: their name stands in the trail of every review that they decide.
 */
export const askWho: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const visitor = c.get('visitor');
  if (c.req.method !== 'POST' || visitor.signedIn || !actsForOthers(visitor) || !asks.test(c.req.path)) {
    return next();
  }
  const { who, ...posted } = await readForm(c);
  const name = [who ?? []].flat()[0];
  const fault = name === undefined ? null : nameFault(name);
  if (name !== undefined && fault === null) {
    beginSession(c, { name: name.trim(), key: '' });
    c.set('visitor', { ...visitor, name: name.trim(), signedIn: true });
    return next();
  }
  const body = (
    <form method="post" action={c.req.path}>
      <h1>Who decides?</h1>
      <p class="second">
        This server asks for no key. Your name stands in the trail of every review that you decide; the
        browser keeps it for 12 hours.
      </p>
      {fault === null ? null : (
        <p class="note bad" role="alert">
          {fault}
        </p>
      )}
      {Object.entries(posted).flatMap(([field, values]) =>
        [values].flat().map((value) => <input type="hidden" name={field} value={value} />),
      )}
      <label>
        Your name
        <input
          name="who"
          required
          maxlength={100}
          autocomplete="name"
          autofocus
          value={name ?? visitor.name}
        />
      </label>
      <button type="submit" class="go">
        Go on
      </button>
    </form>
  );
  return bare(c, { title: 'Who decides?', body, status: fault === null ? 200 : 422 });
};
