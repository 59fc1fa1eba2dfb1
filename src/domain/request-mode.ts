/**
 * How a model is asked for JSON, each with its own guarantee:
 * `constrained` (JSON-schema output: schema-valid text unless cut, refused or overflowed; letter case of enums is not promised),
 * `tool` (one strict tool: schema-valid input, but some models refuse a forced tool),
 * `plain` (none: prose, fences and damage are possible, so the reply is scanned).
 */
export const requestModes = ['constrained', 'tool', 'plain'] as const;
export type RequestMode = (typeof requestModes)[number];
