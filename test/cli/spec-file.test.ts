import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'endstop-spec-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = (type: string) => `
  import { defineSpec, ${type} } from 'endstop';
  export default defineSpec({
    id: 'till', title: 'Till', schemaVersion: '1', prompt: { version: '1', text: 'Read it.' },
    fields: { day: ${type}('Day') }, constraints: [], examples: () => [{ day: '2024-02-29' }],
  });`;

/** The command line as a process of its own, in a folder of the user's. */
async function endstop(env: Record<string, string>, ...argv: readonly string[]) {
  const child = spawn(process.execPath, [join(process.cwd(), 'bin/endstop.mjs'), ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ENDSTOP_HOME: folder, ...env },
  });
  const ran = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    ran.out += String(text);
  });
  child.stderr.on('data', (text) => {
    ran.error += String(text);
  });
  await once(child, 'close');
  return { code: child.exitCode, ...ran };
}

describe.concurrent('given a spec file of a user', () => {
  it.each(['ts', 'mjs'])(
    'when it imports a name that is none (.%s), then that is said with what was meant',
    async (kind) => {
      const path = join(folder, `misspelt.${kind}`);
      writeFileSync(path, source('isodate'));
      const ran = await endstop({}, 'spec', 'check', path);
      expect(ran).toMatchObject({ code: 2, out: '' });
      expect(ran.error).toBe(
        `The spec file ${path} cannot be loaded: 'endstop' has no isodate; did you mean "isoDate"?\n`,
      );
    },
  );

  it('when its types are wrong, or those of what it imports, then each error is a line, and the exit code is 1', async () => {
    const typed = source('isoDate').replace("'2024-02-29'", 'day').replace("title: 'Till'", 'title');
    writeFileSync(
      join(folder, 'title.ts'),
      "export const title: string = 'Till';\nexport const day: Date = '2024-02-29';\n",
    );
    writeFileSync(join(folder, 'typed.ts'), `import { day, title } from './title.ts';${typed}`);
    const ran = await endstop({}, 'spec', 'check', './typed.ts');
    expect(ran).toMatchObject({ code: 1, error: '' });
    expect(ran.out).toMatch(/^till .*: accepts all 4 records.*\ntyped.ts: its types have 2 errors:\n/);
    expect(ran.out.split('\n').slice(2, 4)).toEqual([
      "  title.ts:2:14: Type 'string' is not assignable to type 'Date'. (TS2322)",
      expect.stringMatching(
        /^ {2}typed\.ts:5:\d+: Types of property 'day' are incompatible\. Type 'Date' is not assignable to type 'string'\. \(TS2322\)$/,
      ),
    ]);
    const asJson = await endstop({}, 'spec', 'check', './typed.ts', '--json');
    expect(JSON.parse(asJson.out.split('\n')[1] ?? '')).toMatchObject({ file: 'typed.ts', ok: false });
  });

  it('when a variable is misspelt, then that is said once and the command goes on', async () => {
    writeFileSync(join(folder, 'till.ts'), source('isoDate'));
    const ran = await endstop({ ENDSTOP_SPEC: 'till.ts' }, 'spec', 'check', './till.ts');
    expect(ran).toMatchObject({
      code: 0,
      error: 'ENDSTOP_SPEC is no variable of Endstop; did you mean ENDSTOP_SPECS?\n',
    });
  });

  it('when the samples are asked for without their specs, then that is said before anything starts', async () => {
    writeFileSync(join(folder, 'own.ts'), source('isoDate'));
    const ran = await endstop({ ENDSTOP_SPECS: 'own.ts' }, 'demo', '--once');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(
      /^The samples are documents of the specs claim, .*ENDSTOP_SPECS=specs\/index\.ts,.*\n$/,
    );
    const unknown = await endstop({ ENDSTOP_SPECS: 'own.ts' }, 'spec', 'check', 'claim');
    expect(unknown.error).toBe('There is no spec "claim"; known: till (from own.ts, by ENDSTOP_SPECS).\n');
  });
});
