import { once } from 'node:events';
import { createTracing } from '../adapters/opentelemetry/tracing.js';
import { withApplication } from '../cli/session.js';
import { isLoopback } from '../config.js';
import { createConsole } from '../console/app.js';
import { createLogger } from '../http/log.js';
import { serve } from '../http/server.js';
import type { ProcessContext } from './context.js';
import { historyCodecOf } from './history-codec.js';
import { watchApi } from './watch.js';

/** Long enough for a request that waits for a run to be answered with where to look. */
const closeGraceMs = 5_000;

/** Serves the API until SIGINT or SIGTERM. */
export async function runApi(context: ProcessContext, version: string): Promise<void> {
  const config = context.config();
  const { api, tenant, inFlight, logLevel } = config;
  const codec = historyCodecOf(config);
  const tracing = createTracing();
  await withApplication(context, [], async (plain) => {
    const app = { ...plain, tracing };
    const watch = watchApi(app.store, app.catalogue, tracing, context.now);
    const logger = createLogger(logLevel);
    const pages = createConsole({
      ...{ app, pages: context.reader(), apiKey: api.key, keyless: isLoopback(api.host) },
      ...{ inFlight, logger, version },
    });
    const server = await serve(
      { app, tenant, inFlight, logger, version, watch, codec, uiUrl: config.temporal.uiUrl, pages },
      api,
    );
    context.terminal.error(`API ready at ${server.url}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await server.close(closeGraceMs);
  });
}
