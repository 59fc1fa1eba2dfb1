import Anthropic from '@anthropic-ai/sdk';
import { lostCall } from './faults.js';

export interface AnthropicOptions {
  readonly apiKey: string;
  /** Origin of the Messages API, without `/v1`. */
  readonly baseUrl: string;
}

/** No honest answer comes near this: 128,000 output tokens are about half a megabyte. */
const maximumBodyBytes = 16 * 1024 * 1024;

/**
 * The SDK's client with everything off that would act behind the caller's back: retries, logs (at debug level they
 * hold documents and keys), tracing, and redirects, which would send the document on to another address.
 */
export function createAnthropicClient({ apiKey, baseUrl }: AnthropicOptions): Anthropic {
  return new Anthropic({
    apiKey,
    baseURL: baseUrl,
    maxRetries: 0,
    openTelemetry: false,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    fetch: boundedFetch,
  });
}

/** `fetch` whose body, once unpacked, ends with an error instead of growing past the limit. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maximumBodyBytes) {
          throw lostCall('bad_body', 'The model API answered with more than 16 MiB.', response);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(limited, response);
};
