import { type ClosableDocumentReader, createDocumentReader } from '../adapters/pdf/reader.js';
import { workflowLink } from '../adapters/temporal/workflow-link.js';
import type { CliContext } from '../cli/context.js';
import { processTerminal, programName } from '../cli/terminal.js';
import type { Config } from '../config.js';
import { readStack, startedOtherwise } from '../embedded/stack-file.js';
import { loadCatalogue, openEngine, openStore } from './parts.js';

/** A context whose parts are opened when a command needs them; `close` ends what outlives a command. */
export interface ProcessContext extends CliContext {
  /** Loads what reads the configuration: before any command, and not for help. */
  prepare(): Promise<void>;
  /** Forgets the configuration that was read: a stack that came up since gives it addresses. */
  reread(): void;
  /** Which also says where text stands on a page. */
  reader(): ClosableDocumentReader;
  close(): Promise<void>;
}

export function createContext(env: NodeJS.ProcessEnv, cwd: string): ProcessContext {
  let read: (() => Config) | undefined;
  let config: Config | undefined;
  let reader: ClosableDocumentReader | undefined;
  const context: ProcessContext = {
    terminal: processTerminal(programName(env, process.argv[1] ?? '')),
    exitCode: 0,
    prepare: async () => {
      const { misspeltVariables, readConfig, readHome } = await import('../config.js');
      for (const sentence of misspeltVariables(env)) context.terminal.error(`${sentence}\n`);
      read = () => readConfig(env, readStack(readHome(env, cwd)), cwd);
    },
    config: () => {
      config ??= read?.();
      if (config === undefined) throw new Error('The context must be prepared first.');
      return config;
    },
    reread: () => {
      config = undefined;
    },
    openStore: async () => await openStore(context.config()),
    openEngine: async () => await openEngine(context.config()),
    catalogue: (specFiles) => loadCatalogue(context.config(), specFiles),
    strangeSpecs: () => {
      const { home, temporal } = context.config();
      // The workers of another engine are none of that stack's business.
      if (readStack(home)?.temporalAddress !== temporal.address) return null;
      return startedOtherwise(home, 'ENDSTOP_SPECS', env['ENDSTOP_SPECS'])
        ? 'The stack that runs keeps the specs it was started with; ENDSTOP_SPECS differs here: set it as there, or start that stack again.'
        : null;
    },
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
