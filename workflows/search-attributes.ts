import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * What the Temporal UI can filter on. Set at start, upserted once at the end. A SQL visibility store has ten Keyword
 * slots per namespace: these are seven.
 */
export const searchAttributes = {
  spec: defineSearchAttributeKey('EndstopSpec', 'KEYWORD'),
  outcome: defineSearchAttributeKey('EndstopOutcome', 'KEYWORD'),
  reason: defineSearchAttributeKey('EndstopReason', 'KEYWORD'),
  route: defineSearchAttributeKey('EndstopRoute', 'KEYWORD'),
  batch: defineSearchAttributeKey('EndstopBatch', 'KEYWORD'),
  tenant: defineSearchAttributeKey('EndstopTenant', 'KEYWORD'),
  prompt: defineSearchAttributeKey('EndstopPrompt', 'KEYWORD'),
  attempts: defineSearchAttributeKey('EndstopAttempts', 'INT'),
  tokens: defineSearchAttributeKey('EndstopTokens', 'INT'),
  deadline: defineSearchAttributeKey('EndstopDeadline', 'DATETIME'),
} as const;
