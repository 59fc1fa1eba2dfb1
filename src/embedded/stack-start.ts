import { join } from 'node:path';
import { keepPorts, readEarlierPorts } from './earlier-ports.js';
import { hasLogLine } from './log-file.js';
import { nodeEnvironment } from './node-command.js';
import { choosePorts, movedPorts, type Ports, type StackPorts } from './ports.js';
import { checkDatabase } from './postgres-database.js';
import { startPostgres } from './postgres-server.js';
import { startProcess, waitUntilReady } from './process.js';
import type { ProcessMark } from './process-identity.js';
import { digestSettings } from './setting-digests.js';
import { StackError } from './stack-error.js';
import type { ChildSpec, Stack, StackBase, StackOptions } from './stack-options.js';
import { Supervision } from './supervision.js';
import { checkTemporalAddress, startTemporal } from './temporal-server.js';

/** How long a child may take until it answers. */
const childReadyMs = 60_000;

/** One start of a stack, under its lock: either all of it comes up, or `undo` stops what did. */
export class Start {
  readonly #options: StackOptions;
  readonly #ports: Ports;
  readonly #onProgress: (message: string) => void;
  readonly #supervision: Supervision;
  readonly #broken = new AbortController();
  readonly #signal: AbortSignal;
  /** What went wrong first; later faults are its consequences. */
  #failure: unknown;
  #isUp = false;

  constructor(options: StackOptions, ports: Ports, self: ProcessMark, onProgress: (message: string) => void) {
    this.#options = options;
    this.#ports = ports;
    this.#onProgress = onProgress;
    this.#signal = AbortSignal.any([
      this.#broken.signal,
      ...(options.signal === undefined ? [] : [options.signal]),
    ]);
    this.#supervision = new Supervision(options.home, digestSettings(options.settings), self, (crash) => {
      if (this.#isUp) return options.onCrash(crash);
      const what = `${crash.name} ended while the stack was starting (${crash.how}). Its log is ${crash.logPath}.`;
      this.#fail(new StackError(what, crash.logLines));
    });
  }

  async run(): Promise<Stack> {
    await this.#options.checkFirst();
    const ports = await this.#choosePorts();
    const [databaseUrl, temporal] = await this.#together([
      this.#startPostgres(ports),
      this.#startTemporal(ports),
    ]);
    const { namespace, model } = this.#options;
    const base: StackBase = {
      ...{ databaseUrl, ...temporal, namespace },
      ...{ apiPort: ports.api, standinPort: ports.standin },
    };
    const children = this.#options.children(base);
    for (const group of children) await this.#together(group.map((spec) => this.#startChild(spec, base)));
    this.#signal.throwIfAborted();
    const urls = Object.fromEntries(
      children.flat().flatMap(({ name, url }) => (url === undefined ? [] : [[name, url] as const])),
    );
    if (base.temporalUiUrl !== undefined) urls['temporalUi'] = base.temporalUiUrl;
    const addresses = {
      ...{ databaseUrl, temporalAddress: base.temporalAddress, namespace, urls },
      ...(model === null ? {} : { model }),
    };
    this.#supervision.announce(addresses);
    this.#isUp = true;
    return {
      ...addresses,
      attached: false,
      differing: [],
      supervisorPid: process.pid,
      stop: () => this.#stop(),
    };
  }

  /** Stops what was started; returns what to report instead of `error`, which may be a mere consequence. */
  async undo(error: unknown): Promise<unknown> {
    await this.#stop();
    if (this.#options.signal?.aborted === true) return new StackError('The start was stopped.');
    return this.#failure ?? error;
  }

  async #stop(): Promise<void> {
    await this.#supervision.stop();
    this.#ports.release();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#broken.abort();
  }

  /** Waits for all, also after one failed, so that nothing starts any more while the rest is being stopped. */
  async #together<T extends readonly unknown[]>(parts: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
    await Promise.all(parts.map((part) => part.catch((error: unknown) => this.#fail(error))));
    this.#signal.throwIfAborted();
    return Promise.all(parts) as unknown as Promise<T>;
  }

  /** Tells what is started here, and which ports are not the usual ones, before anything takes its time. */
  async #choosePorts(): Promise<StackPorts> {
    const { env, home, model, choosesApiPort } = this.#options;
    const ownPostgres = !env['DATABASE_URL'];
    const ownTemporal = !env['TEMPORAL_ADDRESS'];
    const servers = [...(ownPostgres ? ['Postgres'] : []), ...(ownTemporal ? ['Temporal'] : [])];
    const started = servers.length === 0 ? 'worker and API' : servers.join(' and ');
    this.#onProgress(`starting ${started}; state is kept in ${home}`);
    const ports = await choosePorts(this.#ports, readEarlierPorts(home));
    keepPorts(home, ports);
    const used = [
      ...(choosesApiPort ? (['api'] as const) : []),
      ...(ownTemporal ? (['temporal', 'temporalUi'] as const) : []),
      ...(ownPostgres ? (['postgres'] as const) : []),
      ...(model === null ? (['standin'] as const) : []),
    ];
    const moved = movedPorts(ports, used, this.#ports);
    if (moved !== null) this.#onProgress(moved);
    return ports;
  }

  async #startPostgres(ports: StackPorts): Promise<string> {
    const { home, env, migrate } = this.#options;
    let databaseUrl = env['DATABASE_URL'];
    if (databaseUrl !== undefined && databaseUrl !== '') {
      await checkDatabase(databaseUrl);
      this.#onProgress('the Postgres of DATABASE_URL is ready');
    } else {
      const postgres = await startPostgres({ home, env, port: ports.postgres, ...this.#reporting() });
      this.#supervision.watch(postgres.child);
      databaseUrl = postgres.databaseUrl;
      this.#onProgress(`Postgres ${postgres.version} is ready at ${new URL(databaseUrl).host}`);
    }
    await this.#unlessStopped(() => migrate(databaseUrl));
    return databaseUrl;
  }

  async #startTemporal(
    chosen: StackPorts,
  ): Promise<{ temporalAddress: string; temporalUiUrl: string | undefined }> {
    const { home, env, namespace, registerSearchAttributes } = this.#options;
    let temporalAddress = env['TEMPORAL_ADDRESS'];
    let temporalUiUrl: string | undefined;
    if (temporalAddress !== undefined && temporalAddress !== '') {
      await checkTemporalAddress(temporalAddress);
      this.#onProgress(`the Temporal server of TEMPORAL_ADDRESS is ready at ${temporalAddress}`);
    } else {
      const ports = { frontend: chosen.temporal, ui: chosen.temporalUi };
      const temporal = await startTemporal({ home, env, namespace, ports, ...this.#reporting() });
      this.#supervision.watch(temporal.child);
      temporalAddress = temporal.address;
      temporalUiUrl = temporal.uiUrl;
      this.#onProgress(`Temporal ${temporal.version} is ready at ${temporalAddress}`);
    }
    await this.#unlessStopped(() => registerSearchAttributes(temporalAddress, namespace, this.#signal));
    return { temporalAddress, temporalUiUrl };
  }

  async #startChild(spec: ChildSpec, base: StackBase): Promise<void> {
    const { databaseUrl, temporalAddress, namespace } = base;
    const given = {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: namespace,
    };
    const env = { ...this.#options.env, ...nodeEnvironment, ...given, ...spec.env };
    const { name, command, stopGraceMs = 10_000 } = spec;
    const child = await startProcess(
      { name, command, env, stopSignal: 'SIGTERM', stopGraceMs },
      join(this.#options.home, 'logs'),
    );
    this.#supervision.record(child.record);
    this.#supervision.watch(child);
    await waitUntilReady(child, () => isReady(spec, child.logPath), childReadyMs, this.#signal);
    this.#onProgress(`${spec.title} is ready${spec.url === undefined ? '' : ` at ${spec.url}`}`);
  }

  #reporting() {
    return {
      onProgress: this.#onProgress,
      onStarted: this.#supervision.record.bind(this.#supervision),
      signal: this.#signal,
    };
  }

  /** A step of the caller may not be interruptible, but it need not be waited for. */
  async #unlessStopped(step: () => Promise<void>): Promise<void> {
    this.#signal.throwIfAborted();
    const stopped = new Promise<never>((_, reject) => {
      this.#signal.addEventListener('abort', () => reject(new StackError('The start was stopped.')), {
        once: true,
      });
    });
    await Promise.race([step(), stopped]);
  }
}

/** Asked again and again; throws while nothing answers. A child with no sign to look for is ready once it runs. */
async function isReady(spec: ChildSpec, logPath: string): Promise<boolean> {
  if (spec.readyLine !== undefined) return hasLogLine(logPath, spec.readyLine);
  if (spec.readyUrl === undefined) return true;
  const answer = await fetch(spec.readyUrl, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.ok;
}
