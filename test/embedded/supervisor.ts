import { once } from 'node:events';
import { startStack } from '../../src/embedded/stack.js';
import { stopSignal } from '../../src/embedded/stop-signal.js';

// What a command such as `endstop up` is made of, with two small children. Tells what happens in lines of JSON.
const [home = '', fault = ''] = process.argv.slice(2);
const tell = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
const signal = stopSignal();

const server = (port: number) => {
  const program = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(${port}, '127.0.0.1')`;
  const url = `http://127.0.0.1:${port}`;
  return { command: [process.execPath, '-e', program], url, readyUrl: url };
};

try {
  const stack = await startStack(
    {
      home,
      settings: { MODEL: process.env['MODEL'] ?? 'one', PORT: '1' },
      env: process.env,
      namespace: 'endstop-test',
      signal,
      model: null,
      choosesApiPort: true,
      checkFirst: async () => undefined,
      migrate: async () => {
        if (fault === 'migrate') throw new Error('the migration failed');
        if (fault === 'hang') await new Promise(() => undefined);
      },
      registerSearchAttributes: async () => undefined,
      children: ({ standinPort, apiPort }) => [
        [{ name: 'standin', title: 'the stand-in model', ...server(standinPort) }],
        [
          {
            name: 'worker',
            title: 'the worker',
            command: [
              '/bin/sh',
              '-c',
              fault === 'worker' ? 'echo "no spec"; exit 9' : 'echo up; exec sleep 600',
            ],
            readyLine: /^up$/,
          },
          { name: 'api', title: 'the API', ...server(apiPort) },
        ],
      ],
      onCrash: (crash) => tell({ crash }),
    },
    (message) => tell({ message }),
  );
  const { attached, differing, urls, databaseUrl } = stack;
  tell({ up: { attached, differing, urls, databaseUrl } });
  if (!stack.attached && !signal.aborted) {
    const stayAwake = setInterval(() => undefined, 1_000);
    await once(signal, 'abort');
    clearInterval(stayAwake);
  }
  await stack.stop();
  tell({ stopped: true });
} catch (error) {
  tell({
    failed: error instanceof Error ? error.message : 'unknown',
    logLines: (error as { logLines?: string[] }).logLines,
  });
  process.exitCode = 1;
}
