import type { CapabilityFinding } from '../adapters/anthropic/check-capabilities.js';
import { checkCapabilities } from '../adapters/anthropic/check-capabilities.js';
import { createAnthropicExtractor } from '../adapters/anthropic/extractor.js';
import { type Config, ConfigError } from '../config.js';
import type { Extractor } from '../ports/extractor.js';
import type { Spec } from '../spec/spec.js';
import { anthropicUrl } from './model-server.js';

/** The stand-in takes any key; a server named in ANTHROPIC_BASE_URL may not want one either. */
const anyKey = 'not-needed';

/** Address and key of the model server. @throws ConfigError when none is configured. */
function modelServer({ model }: Config) {
  if (model.provider === null) {
    throw new ConfigError(
      'No model server is configured: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL, or run `endstop up`, which starts a stand-in.',
    );
  }
  return {
    provider: model.provider,
    apiKey: model.apiKey ?? anyKey,
    baseUrl: model.baseUrl ?? anthropicUrl,
  };
}

export function createExtractor(config: Config): Extractor {
  return createAnthropicExtractor(modelServer(config));
}

/** Compares what the specs will ask for with what the server says of its models; never throws for an outage. */
export function checkModels(config: Config, specs: readonly Spec[]): Promise<readonly CapabilityFinding[]> {
  const uses = specs.flatMap(({ mode, policy }) =>
    policy.models.map((model) => ({ model, mode, maxTokens: Math.max(...policy.tokenCeilings) })),
  );
  return checkCapabilities(modelServer(config), uses);
}
