import { handle } from 'hono/aws-lambda';
import { createApp } from './app.js';
import type { HttpDeps } from './environment.js';

/** The API as an AWS Lambda handler, behind a function URL, an API gateway or a load balancer. */
export function createLambdaApi(deps: HttpDeps): ReturnType<typeof handle> {
  return handle(createApp(deps));
}
