import type { DataConverter } from '@temporalio/common';
import { moduleFile } from './module-file.js';

/** One converter for client, workers and the workflow bundle: histories must be readable by all of them. */
export const dataConverter: DataConverter = {
  failureConverterPath: moduleFile('./failure-converter'),
};
