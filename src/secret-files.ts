import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type Environment } from './config-error.js';

/** Each may also come from the file that the variable of the same name with `_FILE` behind it names. */
const secretNames = [
  'DATABASE_URL',
  'ANTHROPIC_API_KEY',
  'ENDSTOP_API_KEY',
  'ENDSTOP_CODEC_KEYS',
  'TEMPORAL_API_KEY',
] as const;

export const secretFileNames: readonly string[] = secretNames.map((name) => `${name}_FILE`);

/** Far longer than any secret: a file of this size is another file. */
const mostBytes = 64 * 1024;

/**
 * The environment with its secret files read: what stood in a file stands in its variable, and the `_FILE` ones are gone.
 * Relative paths are meant from `cwd`; line ends around the secret do not count.
 * @throws ConfigError for a file that cannot be read, is empty, or is named beside the secret itself.
 */
export function readSecretFiles(env: Environment, cwd: string): Environment {
  const read: Record<string, string | undefined> = { ...env };
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim();
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name]?.trim()) {
      throw new ConfigError(`${name} and ${name}_FILE are both set, but only one of them can be meant.`);
    }
    read[name] = secretIn(`${name}_FILE`, resolve(cwd, path));
  }
  return read;
}

function secretIn(variable: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ConfigError(`${variable} is "${path}", which cannot be read: ${whyUnreadable(error)}.`);
  }
  const secret = bytes.toString('utf8').trim();
  if (secret === '' || bytes.length > mostBytes) {
    const what = secret === '' ? 'empty' : 'too large for a secret';
    throw new ConfigError(`${variable} is "${path}", but that file is ${what}.`);
  }
  return secret;
}

/** Why a file cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return (
    { ENOENT: 'there is no such file', EACCES: 'this user may not', EISDIR: 'it is a folder' }[code] ?? code
  );
}
