import type { JsonObject } from './json.js';

/** What the stand-in knows of a model: what it accepts, not how clever it is. */
export interface ModelFacts {
  readonly id: string;
  readonly displayName: string;
  readonly line: 'haiku' | 'sonnet' | 'opus' | 'fable';
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** False: `tool_choice` of kind `tool` or `any` is refused. */
  readonly forcedTools: boolean;
  readonly createdAt: string;
}

const million = 1_000_000;
const model = (
  id: string,
  displayName: string,
  line: ModelFacts['line'],
  forcedTools: boolean,
  createdAt: string,
  contextTokens = million,
  maxOutputTokens = 128_000,
): ModelFacts => ({ id, displayName, line, forcedTools, createdAt, contextTokens, maxOutputTokens });

/** Limits and tool rules as published for the 2026-10-21 version of the API. */
const MODELS: readonly ModelFacts[] = [
  model('claude-haiku-5-5', 'Claude Haiku 5.5', 'haiku', true, '2026-10-07T00:00:00Z'),
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', 'sonnet', false, '2026-10-07T00:00:00Z'),
  model('claude-opus-5-5', 'Claude Opus 5.5', 'opus', false, '2026-10-07T00:00:00Z'),
  model('claude-fable-5-1', 'Claude Fable 5.1', 'fable', false, '2026-09-01T00:00:00Z'),
  model('claude-sonnet-5', 'Claude Sonnet 5', 'sonnet', true, '2026-05-01T00:00:00Z'),
  model('claude-opus-5', 'Claude Opus 5', 'opus', true, '2026-05-01T00:00:00Z'),
  model('claude-haiku-4-5', 'Claude Haiku 4.5', 'haiku', true, '2025-10-01T00:00:00Z', 200_000, 64_000),
];

export function findModel(id: string): ModelFacts | undefined {
  return MODELS.find((known) => known.id === id);
}

/** The body of `GET /v1/models`: one page holds them all. */
export function modelPage(): JsonObject {
  return {
    data: MODELS.map(modelInfo),
    has_more: false,
    first_id: MODELS[0]?.id ?? null,
    last_id: MODELS.at(-1)?.id ?? null,
  };
}

const yes = { supported: true };
const no = { supported: false };

/** The body of `GET /v1/models/{id}`. */
export function modelInfo(facts: ModelFacts): JsonObject {
  return {
    type: 'model',
    id: facts.id,
    display_name: facts.displayName,
    created_at: facts.createdAt,
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line: facts.line,
    max_input_tokens: facts.contextTokens,
    max_tokens: facts.maxOutputTokens,
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      context_management: null,
      effort: { supported: true, low: yes, medium: yes, high: yes, max: yes, xhigh: null },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: yes,
      thinking: {
        supported: true,
        types: { adaptive: yes, between_tools: no, disabled: yes, enabled: no },
      },
    },
  };
}
