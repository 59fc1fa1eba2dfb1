import type { Config } from '../config.js';
import type { DocumentReader } from '../ports/document-reader.js';
import type { Engine } from '../ports/engine.js';
import type { Store } from '../ports/store.js';
import type { Catalogue } from '../spec/catalogue.js';
import type { Terminal } from './terminal.js';

/** What commands work with. Everything is opened only when a command needs it, so that help needs nothing. */
export interface CliContext {
  readonly terminal: Terminal;
  /** What the process will end with: 0 verified or done, 3 unverified, 2 usage, 1 fault. Commands raise it. */
  exitCode: number;
  /** @throws ConfigError for a setting that cannot be used. */
  config(): Config;
  /** @throws StoreUnavailable */
  openStore(): Promise<Store>;
  /** @throws EngineUnavailable */
  openEngine(): Promise<Engine>;
  /** The configured specs, and those of these files in front of them. @throws SpecError */
  catalogue(specFiles: readonly string[]): Promise<Catalogue>;
  /** Says that the stack of this folder was started with other specs than this process has; null: it was not. */
  strangeSpecs(): string | null;
  reader(): DocumentReader;
  /** Link to a workflow in the engine's UI, without asking the engine; null when no UI is known. */
  engineUrl(workflowId: string): string | null;
  now(): number;
}
