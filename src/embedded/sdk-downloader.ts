import { createRequire } from 'node:module';
import { DefaultLogger, Runtime } from '@temporalio/worker';

// Run as a process of its own by temporal-sdk-download.ts: lets the SDK fetch its server into the folder given as the
// only argument. Its function downloads and starts; there is none that downloads only.
const [folder] = process.argv.slice(2);
const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
Runtime.install({ logger: new DefaultLogger('ERROR') });
const runtime = Runtime.instance();
try {
  const server = await runtime.createEphemeralServer({
    type: 'dev-server',
    exe: {
      type: 'cached-download',
      downloadDir: folder ?? null,
      version: 'default',
      ttl: 0,
      sdkName: 'sdk-typescript',
      sdkVersion: version,
    },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'pretty', level: 'never' },
    extraArgs: [],
  });
  await runtime.shutdownEphemeralServer(server);
} catch (error) {
  // The message is a chain of causes; the last one tells what happened.
  process.stderr.write(error instanceof Error ? `${error.message.split(': ').at(-1)}\n` : 'unknown fault\n');
  process.exitCode = 1;
}
