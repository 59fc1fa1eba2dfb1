import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** A workflow's history as JSON text that `Worker.runReplayHistory` takes back. */
export async function historyText(client: Client, workflowId: string): Promise<string> {
  return historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory());
}

/**
 * Every text in a history, with every payload decoded: arguments, results, failures with their encoded attributes,
 * summaries, memos and search attributes. Payload data is base64 in JSON, so a plain search would find nothing.
 */
export function textsOf(history: string): readonly string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        texts.push(key);
        if (key === 'data' && typeof inner === 'string')
          texts.push(Buffer.from(inner, 'base64').toString('utf8'));
        walk(inner);
      }
    }
  };
  walk(JSON.parse(history));
  return texts;
}
