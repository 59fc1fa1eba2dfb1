import { type ClosableDocumentReader, createDocumentReader } from '../adapters/pdf/reader.js';
import { workflowLink } from '../adapters/temporal/engine.js';
import type { CliContext } from '../cli/context.js';
import { processTerminal } from '../cli/terminal.js';
import { type Config, readConfig, readHome } from '../config.js';
import { readStack } from '../embedded/stack-file.js';
import { loadCatalogue, openEngine, openStore } from './parts.js';

/** A context whose parts are opened when a command needs them; `close` ends what outlives a command. */
export interface ProcessContext extends CliContext {
  /** Forgets the configuration that was read: a stack that came up since gives it addresses. */
  reread(): void;
  /** Which also says where text stands on a page. */
  reader(): ClosableDocumentReader;
  close(): Promise<void>;
}

export function createContext(env: NodeJS.ProcessEnv, cwd: string): ProcessContext {
  let config: Config | undefined;
  let reader: ClosableDocumentReader | undefined;
  const context: ProcessContext = {
    terminal: processTerminal(),
    exitCode: 0,
    config: () => {
      config ??= readConfig(env, readStack(readHome(env, cwd)), cwd);
      return config;
    },
    reread: () => {
      config = undefined;
    },
    openStore: async () => openStore(context.config()),
    openEngine: async () => await openEngine(context.config()),
    catalogue: (specFiles) => loadCatalogue(context.config(), specFiles),
    reader: () => {
      reader ??= createDocumentReader();
      return reader;
    },
    engineUrl: (workflowId) => workflowLink(context.config().temporal, workflowId),
    now: Date.now,
    close: async () => {
      await reader?.close();
    },
  };
  return context;
}
