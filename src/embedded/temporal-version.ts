import { runCommand } from './command.js';

/** Oldest server whose features the workflows use. */
const oldestServer = [1, 31] as const;

/** What asking a Temporal CLI for its version told. */
export type TemporalCheck =
  | { readonly kind: 'usable'; readonly path: string; readonly version: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Asks a Temporal CLI which server it holds: `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`. */
export async function checkTemporal(path: string, env: NodeJS.ProcessEnv): Promise<TemporalCheck> {
  const asked = await runCommand(path, ['--version'], { env, timeoutMs: 20_000 });
  const found = /\(Server (\d+)\.(\d+)\.[^,)\s]+/.exec(asked.stdout);
  if (asked.code !== 0 || found === null)
    return { kind: 'unusable', reason: 'it is not a Temporal CLI that runs here' };
  const [server] = found;
  const version = server.slice('(Server '.length);
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const isRecent = major > oldestServer[0] || (major === oldestServer[0] && minor >= oldestServer[1]);
  if (isRecent) return { kind: 'usable', path, version };
  return {
    kind: 'unusable',
    reason: `its server is ${version}, and Endstop needs ${oldestServer.join('.')} or newer`,
  };
}
