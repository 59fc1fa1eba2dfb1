import type { Config, StackAddresses } from '../config.js';
import { errorCode } from '../embedded/stack-error.js';
import { readStack } from '../embedded/stack-file.js';
import { EngineUnavailable } from '../ports/engine.js';
import { notConfigured } from './parts.js';

/** Where a deployment that names no other server calls. */
export const anthropicUrl = 'https://api.anthropic.com';

const probeMs = 5_000;

/** The server that attempts call. `url` may hold a password and is never shown whole. */
export interface ModelServer {
  readonly provider: string;
  readonly url: string;
}

/** What this shell configures; null: nothing, or the stand-in of a stack. */
export function namedModel({ model }: Config): ModelServer | null {
  const { provider, baseUrl } = model;
  return provider === null || provider === 'stand-in' ? null : { provider, url: baseUrl ?? anthropicUrl };
}

/** The server that a stack calls; null: one of before this was written down. */
export function modelOfStack({ model, urls }: Pick<StackAddresses, 'model' | 'urls'>): ModelServer | null {
  if (model !== undefined) return model;
  return urls['standin'] === undefined ? null : { provider: 'stand-in', url: urls['standin'] };
}

/** "anthropic at https://api.anthropic.com", "the stand-in at http://127.0.0.1:4690", "http://10.0.0.7:8000". */
export function modelText(server: ModelServer): string {
  const shown = shownUrl(server);
  if (server.provider === 'stand-in') return `the stand-in at ${shown}`;
  return server.provider === 'anthropic' ? `anthropic at ${shown}` : shown;
}

/** Why nothing can come of calls to this server, in a sentence that says what to do; null: it answers, whatever it says. */
export async function whyUnreachable(server: ModelServer): Promise<string | null> {
  try {
    const answer = await fetch(`${shownUrl(server)}/v1/models`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(probeMs),
    });
    await answer.body?.cancel();
    return null;
  } catch (error) {
    const mend =
      server.provider === 'stand-in'
        ? 'start the stack again'
        : 'check ANTHROPIC_BASE_URL and the network, and start again';
    return `Nothing answers at ${shownUrl(server)} (${causeOf(error)}): ${mend}.`;
  }
}

/** The server that attempts call: that of the stack that runs here, else the one this shell names. */
export function calledServer(config: Config): (ModelServer & { readonly isOfStack: boolean }) | null {
  const stack = readStack(config.home);
  const ofStack =
    stack === undefined || stack.databaseUrl !== config.databaseUrl ? null : modelOfStack(stack);
  if (ofStack !== null) return { ...ofStack, isOfStack: true };
  const { provider, baseUrl } = config.model;
  return provider === null ? null : { provider, url: baseUrl ?? anthropicUrl, isOfStack: false };
}

/** For the doctor: which server is called. Throws when none is, or when it does not answer. */
export async function checkModelServer(config: Config): Promise<string> {
  const server = calledServer(config);
  if (server === null) throw notConfigured(config, 'No model', 'ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL');
  const why = await whyUnreachable(server);
  if (why !== null) throw new EngineUnavailable(why);
  const who = server.isOfStack ? 'the stack that runs calls' : 'calls go to';
  return `${who} ${modelText(server)}, which answers`;
}

/** Without a name or password. */
function shownUrl({ url }: ModelServer): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
};

function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${probeMs / 1_000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  // What `fetch` says of a port that browsers keep for other protocols: it has no code.
  if (cause instanceof Error && cause.message === 'bad port') return 'a port that is never called';
  const code = errorCode(cause);
  return causes[code ?? ''] ?? code ?? 'no connection';
}
