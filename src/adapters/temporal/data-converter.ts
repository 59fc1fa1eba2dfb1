import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';

/** One converter for client, workers and the workflow bundle: histories must be readable by all of them. */
export const dataConverter: DataConverter = {
  failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)),
};
