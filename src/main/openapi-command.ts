import { Command } from 'commander';
import type { Application } from '../application/application.js';
import type { Terminal } from '../cli/terminal.js';

interface Printer {
  readonly terminal: Pick<Terminal, 'out'>;
}

/** `endstop openapi`: what `/openapi.json` serves, without a server. */
export function openapiCommand({ terminal }: Printer, version: string): Command {
  return new Command('openapi')
    .description('print the description of the HTTP API (OpenAPI 3.1); nothing has to run')
    .action(async () => {
      const { createApp } = await import('../http/app.js');
      const { createLogger } = await import('../http/log.js');
      const api = createApp({
        ...{ app: unopened, apiKey: null, tenant: '', inFlight: 0, version },
        logger: createLogger('silent'),
      });
      const answer = await api.request('/openapi.json');
      terminal.out(`${JSON.stringify(await answer.json(), null, 2)}\n`);
    });
}

/** Use cases that nobody asks for anything: the description is made of schemas only. */
const unopened: Application = {
  get store(): never {
    return refuse();
  },
  get engine(): never {
    return refuse();
  },
  get catalogue(): never {
    return refuse();
  },
  get reader(): never {
    return refuse();
  },
  now: () => refuse(),
  reviewSlaMs: 0,
};

function refuse(): never {
  throw new Error('Describing the API opens nothing.');
}
