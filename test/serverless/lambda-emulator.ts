import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { guardChild } from '../support/outliving-guard.js';

export interface EmulatorOptions {
  /** The folder of the built handlers. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Environments at most; more invocations wait. */
  readonly concurrency: number;
  /** What roles must be assumed with. */
  readonly externalId: string;
}

export interface Emulator {
  /** Endpoint of Lambda and STS. */
  readonly url: string;
  /** Environment of the functions; set before the first invocation. */
  configure(env: Readonly<Record<string, string>>): void;
  /** Calls a function and waits for its answer, as a gateway does; another timeout than that of the workers. */
  call(module: string, event: unknown, timeoutMs?: number): Promise<unknown>;
  running(): number;
  started(): number;
  /** Everything the functions wrote. */
  output(): string;
  /** How invocations failed, by their own words. */
  failures(): readonly string[];
  /** Ends every running environment at once, as a crash of its host would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

interface Environment {
  readonly child: ChildProcess;
  readonly module: string;
  readonly ready: Promise<void>;
  busy: boolean;
}

/**
 * The part of AWS Lambda and STS that a Temporal server and a function need, on loopback: environments are processes, used
 * again while they are warm, frozen between invocations, killed at their timeout.
 */
export async function openEmulator(options: EmulatorOptions): Promise<Emulator> {
  const environments = new Set<Environment>();
  const waiting: (() => void)[] = [];
  const failed: string[] = [];
  let variables: Readonly<Record<string, string>> = {};
  let output = '';
  let started = 0;
  let closed = false;

  const create = (module: string): Environment => {
    const child = fork(join(import.meta.dirname, 'lambda-runtime.mjs'), [options.folder, module], {
      env: { PATH: process.env['PATH'], AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048', ...variables },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    guardChild(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        output += bytes.toString('utf8');
      });
    const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
    const environment = { child, module, ready, busy: true };
    child.once('exit', () => environments.delete(environment));
    environments.add(environment);
    return environment;
  };

  const invoke = async (module: string, event: unknown, timeoutMs = options.timeoutMs): Promise<unknown> => {
    const busy = () => [...environments].filter((one) => one.busy).length;
    while (busy() >= options.concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    if (closed) return undefined;
    const warm = [...environments].find((one) => !one.busy && one.module === module);
    const environment = warm ?? create(module);
    environment.busy = true;
    started += 1;
    const { child } = environment;
    child.kill('SIGCONT');
    await environment.ready;
    const id = randomUUID();
    const cut = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    try {
      return await new Promise<unknown>((resolve, reject) => {
        const hear = (message: { id?: string; result?: unknown; error?: string }): void => {
          if (message.id !== id) return;
          if (message.error === undefined) resolve(message.result);
          else reject(new Error(message.error));
        };
        child.on('message', hear);
        child.once('exit', () => reject(new Error('the environment was killed')));
        child.send({ id, event, endsAt: Date.now() + timeoutMs });
      });
    } finally {
      clearTimeout(cut);
      child.removeAllListeners('message');
      environment.busy = false;
      // Nothing of a function runs between its invocations.
      child.kill('SIGSTOP');
      waiting.shift()?.();
    }
  };

  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const reply = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type }).end(text);
    };
    const path = decodeURIComponent(request.url ?? '/');
    if (request.method === 'GET' && path.startsWith('/2015-03-31/functions/')) {
      // What a caller gets to whom the variables' key decrypts nothing.
      const Environment = { Error: { ErrorCode: 'AccessDeniedException', Message: 'kms:Decrypt is denied' } };
      reply(200, 'application/json', JSON.stringify({ Configuration: { State: 'Active', Environment } }));
    } else if (path.endsWith('/invocations')) {
      reply(202, 'application/json', '');
      invoke('worker', {}).catch((error: Error) => failed.push(error.message));
    } else if (body.includes('Action=AssumeRole')) {
      const given = new URLSearchParams(body);
      // A role that can be assumed without its external id could be assumed on behalf of anybody.
      if (given.get('ExternalId') !== options.externalId) reply(403, 'text/xml', denied);
      else reply(200, 'text/xml', assumed);
    } else reply(404, 'text/plain', path);
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => {
      body += bytes.toString('utf8');
    });
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const killAll = async (which: (environment: Environment) => boolean): Promise<void> => {
    const ending = [...environments].filter(which).map(({ child }) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return gone;
    });
    await Promise.all(ending);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    configure: (env) => {
      variables = env;
    },
    call: invoke,
    running: () => [...environments].filter(({ busy }) => busy).length,
    started: () => started,
    output: () => output,
    failures: () => failed,
    kill: () => killAll(({ busy, module }) => busy && module === 'worker'),
    close: async () => {
      closed = true;
      for (const wake of waiting) wake();
      await killAll(() => true);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const denied = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code>
<Message>not authorized</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
const assumed = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><AssumedRoleUser>
<AssumedRoleId>R:S</AssumedRoleId><Arn>arn:aws:sts::123456789012:assumed-role/invoker/S</Arn></AssumedRoleUser><Credentials>
<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>
<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
