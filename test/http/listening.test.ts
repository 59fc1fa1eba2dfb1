import { expect, it } from 'vitest';
import { assertKeyed, assertListens } from '../../src/http/listening.js';

it('what the API could not listen on is said before anything else starts', async () => {
  await assertListens({ host: '127.0.0.1', port: 0, key: null });
  // An address for examples, which no machine has.
  await expect(assertListens({ host: '192.0.2.1', port: 0, key: null })).rejects.toThrow(
    'The API cannot listen on 192.0.2.1 port 0: this machine has no such address; ' +
      'set ENDSTOP_API_HOST or ENDSTOP_API_PORT to others.',
  );
});

it('an address that others can reach needs a key, whichever kind', () => {
  const api = { host: '0.0.0.0', port: 0, key: null };
  expect(() => assertKeyed(api, false)).toThrow('start once with 127.0.0.1');
  assertKeyed(api, true);
  assertKeyed({ ...api, key: '0123456789abcdef' }, false);
  assertKeyed({ ...api, host: 'localhost' }, false);
});
