import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run, scratchFolder, script } from './scratch.js';

interface Entry {
  readonly version?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}

const bin = fileURLToPath(new URL('../../bin/', import.meta.url));
const { missingPackages, nodeComplaint } = (await import(join(bin, 'install.mjs'))) as {
  missingPackages(root: string): string[];
  nodeComplaint(version: string): string | undefined;
};

const wanted: Record<string, Entry> = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/other-platform': { version: '3.0.0', optional: true },
  'node_modules/linked': { link: true },
};

function writeJson(path: string, packages: Record<string, Entry>): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ packages }));
}

/** A project whose lock file wants `wanted`; npm notes what it installed, and puts a folder there for each. */
function given(installed: Record<string, Entry>): string {
  const root = scratchFolder();
  writeJson(join(root, 'package-lock.json'), wanted);
  if (Object.keys(installed).length > 0)
    writeJson(join(root, 'node_modules', '.package-lock.json'), installed);
  for (const place of Object.keys(installed)) writeJson(join(root, place, 'package.json'), {});
  return root;
}

const { '': _, 'node_modules/other-platform': __, 'node_modules/linked': ___, ...complete } = wanted;

describe('the packages that are missing', () => {
  it('are none when all are there in their versions, those of other platforms aside', () => {
    expect(missingPackages(given(complete))).toEqual([]);
  });

  it('are all of them in a fresh clone', () => {
    expect(missingPackages(given({}))).toEqual(Object.keys(complete));
  });

  it('include one of another version, one that was never installed, and one whose folder is gone', () => {
    expect(missingPackages(given({ ...complete, 'node_modules/a': { version: '0.9.0' } }))).toEqual([
      'node_modules/a',
    ]);
    const { 'node_modules/a': first, ...rest } = complete;
    expect(first).toBeDefined();
    expect(missingPackages(given(rest))).toEqual(['node_modules/a']);
    const root = given({});
    writeJson(join(root, 'node_modules', '.package-lock.json'), complete);
    expect(missingPackages(root)).toEqual(Object.keys(complete));
  });

  it('are not optional ones that npm could not install, but are optional ones of an old version', () => {
    const old = { 'node_modules/other-platform': { version: '2.9.9', optional: true } };
    expect(missingPackages(given({ ...complete, ...old }))).toEqual(['node_modules/other-platform']);
  });

  it('are all of them when npm left its own note damaged', () => {
    const root = given(complete);
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packages":');
    expect(missingPackages(root)).toEqual(Object.keys(complete));
  });

  it('are none in this checkout, or this test would not run', () => {
    expect(missingPackages(join(bin, '..'))).toEqual([]);
  });
});

/** Runs the installer of a copy of `bin` beside a project, with an npm that only notes how it was called. */
async function install(root: string, npm: string, env: NodeJS.ProcessEnv = {}) {
  cpSync(bin, join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'path'));
  script(join(root, 'path', 'npm'), `echo "$@" > "${root}/called"; echo "npm speaks"; ${npm}`);
  const options = { env: { PATH: `${root}/path:${process.env['PATH']}`, ...env } };
  const ended = await run(process.execPath, [join(root, 'bin', 'install.mjs')], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const called = () => readFileSync(join(root, 'called'), 'utf8').trim();
  return { code: ended.code, stdout: ended.stdout, stderr: ended.stderr, called };
}

describe('the installer', () => {
  it('calls nobody and says nothing when nothing is missing', async () => {
    const { code, stdout, stderr, called } = await install(given(complete), 'exit 1');
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(called).toThrow();
  });

  it('runs npm ci with development and platform packages, whatever the environment leaves out, and keeps stdout clean', async () => {
    const root = given({});
    writeJson(join(root, 'ready', '.package-lock.json'), complete);
    const places = Object.keys(complete).map((place) => `mkdir -p ${place}; echo {} > ${place}/package.json`);
    const npm = `${places.join('; ')}; mv ready/.package-lock.json node_modules/`;
    const { code, stdout, stderr, called } = await install(root, npm, { NODE_ENV: 'production' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(called()).toBe('ci --include=dev --include=optional --no-audit --no-fund --loglevel=error');
    expect(stderr).toContain('npm speaks');
  });

  it('says in one sentence that npm failed, or did not install what is needed', async () => {
    const failed = await install(given({}), 'exit 7');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/npm ci failed; its messages stand above\. Run it again in .*\.\n$/);
    const empty = await install(given({}), 'exit 0');
    expect(empty.code).toBe(1);
    expect(empty.stderr).toMatch(
      /node_modules\/a is still not installed; remove node_modules and run npm ci/,
    );
  });

  it('does not call itself again from within npm ci', async () => {
    const { code, called } = await install(given({}), 'exit 1', { ENDSTOP_INSTALLING: '1' });
    expect(code).toBe(0);
    expect(called).toThrow();
  });
});

describe('a Node that is too old', () => {
  it.each(['18.20.4', '20.18.1', '0.10.48'])('is refused in one sentence: %s', (version) => {
    expect(nodeComplaint(version)).toBe(`Endstop needs Node 20.19 or newer, and this is Node ${version}.`);
  });

  it.each(['20.19.0', '22.0.0', '24.11.1'])('is not %s', (version) => {
    expect(nodeComplaint(version)).toBeUndefined();
  });
});

it('the command line says in one sentence that its packages are missing', async () => {
  const root = scratchFolder();
  cpSync(bin, join(root, 'bin'), { recursive: true });
  const failure = run(process.execPath, [join(root, 'bin', 'endstop.mjs'), 'up'], { cwd: '/' });
  await expect(failure).rejects.toMatchObject({
    code: 1,
    stderr: `Endstop's packages are not all installed: run npm ci in ${root}/, or npm start, which does it by itself.\n`,
  });
});
