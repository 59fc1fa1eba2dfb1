import { readFile } from 'node:fs/promises';
import { ApplicationError } from '../application/application-error.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a file that holds one JSON object. @throws ApplicationError `invalid_request`, in one sentence */
export async function readJsonObject(path: string): Promise<JsonObject> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new ApplicationError('invalid_request', `There is no file ${path} that can be read.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApplicationError('invalid_request', `${path} is not JSON.`);
  }
  if (isObject(value)) return value;
  throw new ApplicationError('invalid_request', `${path} must hold one JSON object.`);
}

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
