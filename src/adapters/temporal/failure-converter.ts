import { DefaultFailureConverter } from '@temporalio/common';

/** Messages and stack traces of failures become payloads, so that a codec can encrypt them like everything else. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
