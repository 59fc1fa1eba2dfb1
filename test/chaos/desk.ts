import { setTimeout as pause } from 'node:timers/promises';
import { nameOf, type Paper } from './papers.js';
import type { Row, Stack } from './stack.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answered with; tests look into it.
  readonly body: any;
}

/** One request to one of the API processes. Rejects when nobody answers. */
export async function ask(
  stack: Stack,
  method: 'GET' | 'POST',
  path: string,
  body?: Row,
  api = 0,
): Promise<Answer> {
  const response = await fetch(`${stack.apis[api]}${path}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The same until somebody does it: what a caller does whose request was cut off or could not be taken just then. */
export async function insist(
  stack: Stack,
  method: 'GET' | 'POST',
  path: string,
  body?: Row,
): Promise<Answer> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await ask(stack, method, path, body, tries % 2).catch(() => null);
    if (answer !== null && answer.status < 300) return answer;
    if (answer !== null && answer.status !== 503)
      throw new Error(
        `${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}\n${stack.said()}`,
      );
    await pause(100);
  }
  throw new Error(`Nobody would do ${method} ${path}.`);
}

export function submission(tenant: string, { spec, document }: Paper, others: Row = {}): Row {
  return { tenant, spec, document, ...others };
}

/** Hands a document in until it is taken; its id. */
export async function submit(stack: Stack, tenant: string, paper: Paper, others: Row = {}): Promise<string> {
  const { body } = await insist(stack, 'POST', '/v1/extractions', submission(tenant, paper, others));
  return body.id;
}

/** Waits for the end of an extraction. */
export async function ended(stack: Stack, id: string): Promise<Answer['body']> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const { body } = await insist(stack, 'GET', `/v1/extractions/${id}`);
    if (body.state === 'ended') return body;
    await pause(100);
  }
  throw new Error(`${id} did not end within two minutes.`);
}

/** Hands a document in and waits for its end. */
export async function extracted(stack: Stack, tenant: string, paper: Paper): Promise<Answer['body']> {
  return await ended(stack, await submit(stack, tenant, paper));
}

/** Resolves when that many calls about a document have come to the model. */
export async function called(stack: Stack, paper: Paper, count: number): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (stack.models.calls(nameOf(paper)).length >= count) return;
    await pause(50);
  }
  throw new Error(`The model was not called ${count} times within a minute.`);
}

/** Asks for a redrive of many until it is under way; its id. */
export async function redrive(stack: Stack, filter: Row, others: Row = {}): Promise<string> {
  const { body } = await insist(stack, 'POST', '/v1/dead-letters/redrive', { filter, ...others });
  return body.id;
}

/** Waits for the end of a redrive of many; its report. */
export async function redriven(stack: Stack, id: string): Promise<Answer['body']> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { body } = await insist(stack, 'GET', `/v1/redrives/${id}`);
    if (body.state !== 'running') return body;
    await pause(300);
  }
  throw new Error(`The redrive ${id} did not end within two minutes.`);
}
