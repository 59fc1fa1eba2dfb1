import { parseArgs } from 'node:util';
import { KNOB_NAMES, KNOBS } from './behaviour.js';
import { createStandin } from './server.js';

const kebab = (name: string): string => name.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`);
const variable = (name: string): string => `STANDIN_${kebab(name).toUpperCase().replaceAll('-', '_')}`;

const USAGE = [
  'Usage: standin [--port 0] [--host 127.0.0.1] [settings]',
  'A local server that speaks the Messages API and reads documents by rules. Once ready it prints {"url": ...}.',
  'Every setting is also an environment variable, and can be changed while running: POST /standin/behaviour.',
  '',
  ...KNOB_NAMES.map(
    (name) => `  --${kebab(name).padEnd(22)} ${KNOBS[name].meaning} (${KNOBS[name].default})`,
  ),
].join('\n');

/** Runs the stand-in until SIGINT or SIGTERM. Resolves once it listens; rejects with a sentence for the user. */
async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values }: { values: Record<string, unknown> } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      port: { type: 'string' },
      host: { type: 'string' },
      ...Object.fromEntries(KNOB_NAMES.map((name) => [kebab(name), { type: 'string' as const }])),
    },
  });
  if (values['help']) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const port = Number(values['port'] ?? env['STANDIN_PORT'] ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RangeError('The port must be 0 to 65535.');
  const given = KNOB_NAMES.flatMap((name) => {
    const value = values[kebab(name)] ?? env[variable(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  const apiKey = env['STANDIN_API_KEY'];
  const standin = createStandin({
    behaviour: Object.fromEntries(given) as never,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const host = String(values['host'] ?? env['STANDIN_HOST'] ?? '127.0.0.1');
  const url = await standin.listen(port, host).catch((error: NodeJS.ErrnoException) => {
    const cause = error.code === 'EADDRINUSE' ? 'another process listens there' : (error.code ?? error.name);
    throw new RangeError(`Cannot listen on ${host} port ${port}: ${cause}; choose another with --port.`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void standin.close().then(() => process.exit(0)));
  }
  process.stdout.write(`${JSON.stringify({ url })}\n`);
}

main(process.argv.slice(2), process.env).catch((error: unknown) => {
  process.stderr.write(`stand-in: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
