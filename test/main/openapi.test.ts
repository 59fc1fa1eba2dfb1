import { describe, expect, it } from 'vitest';
import { openapiCommand } from '../../src/main/openapi-command.js';
import { createApi } from '../http/api.js';

describe('endstop openapi', () => {
  it('prints what the server serves, and opens nothing for it', async () => {
    const printed: string[] = [];
    const terminal = { out: (text: string) => void printed.push(text) };
    await openapiCommand({ terminal }, '0.1.0').parseAsync([], { from: 'user' });
    const out = printed.join('');
    expect(JSON.parse(out)).toEqual((await createApi().get('/openapi.json')).body);
    expect(out.endsWith('}\n')).toBe(true);
  });
});
