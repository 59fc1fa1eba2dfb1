import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readBlocks } from './guide.js';

const paths = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** What a shell sets by itself: an assignment has no effect, or another one than the reader means. */
const shells = new Set([
  ...execFileSync('bash', ['--norc', '-c', 'compgen -v'], { env: {}, encoding: 'utf8' }).split('\n'),
  ...['ARGC', 'CDPATH', 'EGID', 'ENV', 'FPATH', 'GID', 'HOST', 'LOGNAME', 'MAIL', 'TTY', 'USERNAME'],
]);
/** To be read is what these are for. */
const readable = ['HOME', 'PATH', 'PWD'];

it.each(['README.md', ...paths])(
  '%s has the reader set no variable that belongs to a shell',
  async (path) => {
    const blocks = (await readBlocks(path)).filter(({ language }) => language === 'sh');
    const used = blocks.flatMap(({ text }) =>
      [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name ?? ''),
    );
    const set = blocks.flatMap(({ text }) =>
      [...text.matchAll(/(?:^|export )([A-Za-z_]\w*)=/gm)].map(([, name]) => name ?? ''),
    );
    const theirs = used.filter((name) => shells.has(name) && !readable.includes(name));
    expect([...theirs, ...set.filter((name) => shells.has(name))]).toEqual([]);
  },
);

it('knows those of bash', () => {
  expect([...shells]).toEqual(expect.arrayContaining(['GROUPS', 'UID', 'SECONDS', 'RANDOM', 'PPID', 'PATH']));
});
