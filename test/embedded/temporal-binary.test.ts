import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DownloadWay, findTemporal, type TemporalSearch } from '../../src/embedded/temporal-binary.js';
import { scratchFolder, script } from './scratch.js';

/** A Temporal CLI that knows nothing but its version. */
const cli = (folder: string, server: string, name = 'temporal') => {
  mkdirSync(folder, { recursive: true });
  return script(join(folder, name), `echo "temporal version 1.9.1 (Server ${server}, UI 2.54.1)"`);
};

const never: DownloadWay = async () => {
  throw new Error('nothing may be downloaded here');
};
const fails =
  (reason: string): DownloadWay =>
  async () =>
    reason;

/** A search in a folder that has no Temporal: the tests add what theirs needs. */
const given = (change: (folder: string) => Partial<TemporalSearch> = () => ({})) => {
  const folder = scratchFolder();
  const cache = join(folder, 'cache', 'endstop');
  mkdirSync(cache, { recursive: true });
  const { env, ...rest } = change(folder);
  const search: TemporalSearch = {
    home: join(folder, '.endstop'),
    env: { PATH: '/nowhere', XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    onProgress: () => undefined,
    bySdk: never,
    byWheel: never,
    ...rest,
  };
  return { folder, cache, search };
};

describe('the Temporal server is looked for', () => {
  it('at TEMPORAL_CLI_PATH first, before PATH and the cache', async () => {
    const { folder, cache, search } = given((at) => ({
      env: { TEMPORAL_CLI_PATH: cli(join(at, 'named'), '1.33.0'), PATH: join(at, 'path') },
    }));
    cli(join(folder, 'path'), '1.32.0');
    cli(cache, '1.32.0', 'temporal-1.9.1');
    expect(await findTemporal(search)).toMatchObject({
      path: join(folder, 'named', 'temporal'),
      version: '1.33.0',
    });
  });

  it('on PATH next, passing over one that is too old', async () => {
    const { folder, cache, search } = given((at) => ({
      env: { PATH: `${at}/old:${at}/missing::${at}/new` },
    }));
    cli(join(folder, 'old'), '1.30.9');
    cli(join(folder, 'new'), '1.31.0');
    cli(cache, '1.32.0', 'temporal-1.9.1');
    expect(await findTemporal(search)).toMatchObject({
      path: join(folder, 'new', 'temporal'),
      version: '1.31.0',
    });
  });

  it('in the cache next, without a download', async () => {
    const { cache, search } = given();
    const cached = cli(cache, '1.32.0', 'temporal-1.9.1');
    expect(await findTemporal(search)).toMatchObject({ path: cached });
  });

  it('by the SDK next, whose file is kept for the next time', async () => {
    const { cache, search } = given();
    const found = await findTemporal({
      ...search,
      bySdk: async ({ target }) => {
        cli(cache, '1.32.1', target.slice(cache.length + 1));
        return undefined;
      },
    });
    expect(found.version).toBe('1.32.1');
    expect(await findTemporal(search)).toEqual(found);
  });

  it('as a Python wheel last', async () => {
    const { cache, search } = given();
    const tried: string[] = [];
    const found = await findTemporal({
      ...search,
      bySdk: fails('nothing came for 10 s'),
      byWheel: async () => {
        cli(cache, '1.32.0', 'temporal-1.9.1');
        return undefined;
      },
      onProgress: (message) => tried.push(message),
    });
    expect(found.path).toBe(join(cache, 'temporal-1.9.1'));
    expect(tried).toHaveLength(2);
  });
});

describe('a Temporal server that cannot be used', () => {
  it.each(['1.30.9', '0.99.0'])(
    'is refused when it was named, and nothing else is tried (server %s)',
    async (server) => {
      const { search } = given((at) => ({ env: { TEMPORAL_CLI_PATH: cli(at, server), PATH: at } }));
      await expect(findTemporal(search)).rejects.toThrow(
        `its server is ${server}, and Endstop needs 1.31 or newer`,
      );
    },
  );

  it('is refused when it is no Temporal CLI at all', async () => {
    const { search } = given((at) => ({ env: { TEMPORAL_CLI_PATH: script(join(at, 'x'), 'echo hello') } }));
    await expect(findTemporal(search)).rejects.toThrow(/TEMPORAL_CLI_PATH is .*x, which cannot be used/);
    const missing = given((at) => ({ env: { TEMPORAL_CLI_PATH: join(at, 'missing') } }));
    await expect(findTemporal(missing.search)).rejects.toThrow(
      /TEMPORAL_CLI_PATH is .*missing, which cannot/,
    );
  });

  it('leaves the cache, whatever it is, and another one takes its place', async () => {
    const { cache, search } = given();
    writeFileSync(join(cache, 'temporal-sdk'), 'half a file', { mode: 0o755 });
    const found = await findTemporal({
      ...search,
      bySdk: fails('no network'),
      byWheel: async () => {
        cli(cache, '1.32.0', 'temporal-1.9.1');
        return undefined;
      },
    });
    expect(found.path).toBe(join(cache, 'temporal-1.9.1'));
    expect(existsSync(join(cache, 'temporal-sdk'))).toBe(false);
  });

  it('is not kept when a download brought it', async () => {
    const { cache, search } = given();
    const old: DownloadWay = async ({ target }) => {
      cli(cache, '1.20.0', target.slice(cache.length + 1));
      return undefined;
    };
    await expect(findTemporal({ ...search, bySdk: old, byWheel: old })).rejects.toThrow(
      'its server is 1.20.0',
    );
    expect(existsSync(join(cache, 'temporal-1.9.1'))).toBe(false);
  });
});

it('names every way, and why each was closed, when there is no server to be had', async () => {
  const { search } = given((at) => ({ env: { PATH: at } }));
  const error = await findTemporal({
    ...search,
    bySdk: fails('nothing came for 10 s'),
    byWheel: fails('pip said: no network'),
  }).catch((reason: unknown) => String(reason));
  for (const part of [
    '`temporal` is not on PATH',
    'nothing came for 10 s',
    'pip said: no network',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_CLI_PATH',
    'Python 3 with pip',
  ]) {
    expect(error).toContain(part);
  }
  expect(error).not.toContain('\n');
});

it('keeps downloads in the state folder when the account has no home of its own', async () => {
  const { folder, search } = given((at) => {
    writeFileSync(join(at, 'file'), '');
    return { env: { XDG_CACHE_HOME: join(at, 'file', 'below') } };
  });
  const targets: string[] = [];
  const note: DownloadWay = async ({ target }) => {
    targets.push(target);
    return 'noted';
  };
  await expect(findTemporal({ ...search, bySdk: note, byWheel: note })).rejects.toThrow('noted');
  expect(targets[0]).toBe(join(folder, '.endstop', 'cache', 'temporal-sdk'));
});
