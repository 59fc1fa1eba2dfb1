import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import { HttpProblem, problemBody, problemOf, type Refusal } from './problem.js';

/** The same for what is HTTP and still no request to anything here: a malformed `Host`, `OPTIONS *`. */
export function answerNoRequest(error: unknown): Response {
  const isNoRequest = error instanceof RequestError;
  const problem = problemOf(isNoRequest ? new HttpProblem(noRequest) : error);
  const requestId = randomUUID();
  return new Response(JSON.stringify(problemBody(problem, requestId)), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId },
  });
}

const noRequest: Refusal = {
  slug: 'malformed-body',
  detail: 'The Host of the request is missing, or it or the path is malformed.',
};

/** Answers what never became a request, as a problem document like everything else, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(new HttpProblem(problems[error.code ?? ''] ?? malformed));
  const { status } = problem;
  const body = JSON.stringify(problemBody(problem, randomUUID()));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Ended at once, the answer could be lost with what was not read; left to the client, it would stay open for ever.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
}

/** How long a client has to take the answer and go. */
const lingerMs = 1_000;

const malformed: Refusal = { slug: 'malformed-body', detail: 'What was sent is no HTTP request.' };

const problems: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    slug: 'headers-too-large',
    detail: 'Path, query and headers may have 16 KiB in all.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { slug: 'request-timeout', detail: 'The request did not arrive in time.' },
};
