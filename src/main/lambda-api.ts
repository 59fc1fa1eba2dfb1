import { readFile } from 'node:fs/promises';
import { createDocumentReader } from '../adapters/pdf/reader.js';
import { ConfigError, readConfig } from '../config.js';
import { createLambdaApi } from '../http/lambda.js';
import { createLogger } from '../http/log.js';
import { historyCodecOf } from './history-codec.js';
import { loadCatalogue, openEngine, openStore } from './parts.js';

type Answer = ReturnType<typeof createLambdaApi>;

interface Opened {
  readonly answer: Answer;
  close(): Promise<void>;
}

/** A function that sleeps is frozen with its connections, and they seldom outlive that. */
const staleAfterMs = 60_000;

let opened: Promise<Opened> | null = null;
let usedAt = 0;

/** The API as a Lambda function. */
export const handler: Answer = async (...request) => {
  if (opened !== null && Date.now() - usedAt > staleAfterMs) {
    const stale = opened;
    opened = null;
    void stale.then(({ close }) => close()).catch(() => undefined);
  }
  opened ??= open();
  try {
    const { answer } = await opened;
    return await answer(...request);
  } catch (error) {
    opened = null;
    throw error;
  } finally {
    usedAt = Date.now();
  }
};

/** The build leaves a manifest beside the handlers. */
const manifest = new URL('./package.json', import.meta.url);

async function open(): Promise<Opened> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const config = readConfig(process.env, undefined, process.cwd());
  const catalogue = await loadCatalogue(config);
  const engine = await openEngine(config);
  const store = await openStore(config);
  if (config.api.key === null && !(await store.keys.any())) {
    throw new ConfigError(
      'Everybody can reach a function, so ENDSTOP_API_KEY must be set, or a key be made.',
    );
  }
  const reader = createDocumentReader();
  const app = {
    store,
    engine,
    catalogue,
    reader,
    reviewSlaMs: config.reviewSlaMs,
    allowPrivateWebhooks: config.allowPrivateWebhooks,
    now: Date.now,
  };
  const answer = createLambdaApi({
    app,
    apiKey: config.api.key,
    keyless: false,
    tenant: config.tenant,
    inFlight: config.inFlight,
    logger: createLogger(config.logLevel),
    version,
    codec: historyCodecOf(config),
    uiUrl: config.temporal.uiUrl,
  });
  return {
    answer,
    close: async () => {
      await engine.close();
      await reader.close();
      await store.close();
    },
  };
}
