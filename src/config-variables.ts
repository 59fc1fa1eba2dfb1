import { isIP } from 'node:net';
import { z } from 'zod';
import { ConfigError, type Environment } from './config-error.js';

const wholeNumber = (least: number, most: number) => {
  const error = `a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
};

const url = (protocols: readonly string[], example: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `a URL such as ${example}`,
  });

/** Paths in a list with commas. */
export const pathsOf = (list: string) =>
  list
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');

const web = (example: string) => url(['http:', 'https:'], example);
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const variables = {
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'postgres://user:password@localhost:5432/endstop',
  ).optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .refine(isHostAndPort, { error: 'host:port, such as localhost:7233' })
    .optional(),
  TEMPORAL_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,127}$/, { error: 'letters, digits, ".", "_" and "-", at most 128 of them' })
    .optional(),
  TEMPORAL_UI_URL: web('http://localhost:8233').optional(),
  ANTHROPIC_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'printable characters without spaces' })
    .optional(),
  ANTHROPIC_BASE_URL: web('https://api.anthropic.com').optional(),
  // Set by the local stack for the processes it starts, whose stack file does not say yet that it runs; loses against
  // a model named in ANTHROPIC_*.
  ENDSTOP_STANDIN_URL: web('http://127.0.0.1:4690').optional(),
  ENDSTOP_HOME: z.string().default('.endstop'),
  ENDSTOP_API_HOST: z
    .string()
    .refine(isHost, { error: 'a host name or an IP address, without a port' })
    .default('127.0.0.1'),
  ENDSTOP_API_PORT: wholeNumber(0, 65_535).default(4680),
  ENDSTOP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, { error: 'at least 16 printable characters without spaces' })
    .optional(),
  // Named as the worker controllers of Temporal name them.
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w-]{1,100}$/, { error: 'letters, digits, "_" and "-"' })
    .optional(),
  TEMPORAL_WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, { error: 'letters, digits, "_", "." and "-"' })
    .optional(),
  ENDSTOP_CODEC_KEYS: z.string().default(''),
  ENDSTOP_REQUESTS_PER_MINUTE: wholeNumber(0, 1_000_000).default(6_000),
  ENDSTOP_SPECS: z
    .string()
    .refine((list) => list === '' || pathsOf(list).length > 0, {
      error: 'paths of spec files, with commas between them',
    })
    .default(''),
  ENDSTOP_DOCUMENTS_URL: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.=-]+)*\/?$/i, {
      error: 'a bucket such as s3://bucket or s3://bucket/folder',
    })
    .optional(),
  ENDSTOP_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
      error: 'letters, digits, ".", "_" and "-", at most 64 of them',
    })
    .default('default'),
  ENDSTOP_FIRST_SLOTS: wholeNumber(1, 1_000).optional(),
  ENDSTOP_REPAIR_SLOTS: wholeNumber(1, 1_000).optional(),
  ENDSTOP_STORE_SLOTS: wholeNumber(1, 1_000).optional(),
  // Longer than nearly every call, so that a deploy burns no attempt.
  ENDSTOP_SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 3_600).default(60),
  ENDSTOP_IN_FLIGHT: wholeNumber(1, 1_000).default(20),
  ENDSTOP_TENANT_MOST_OPEN: wholeNumber(1, 1_000_000).optional(),
  ENDSTOP_TENANT_PER_SECOND: z
    .string()
    .regex(/^\d{1,5}(\.\d{1,3})?$/, { error: 'a number such as 5 or 0.5' })
    .transform(Number)
    .refine((value) => value > 0, { error: 'a number such as 5 or 0.5' })
    .optional(),
  ENDSTOP_REVIEW_SLA_HOURS: wholeNumber(1, 8_760).default(24),
  ENDSTOP_WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1'], { error: '1 (yes) or 0 (no)' }).default('0'),
  // Where a worker shows its metrics; 0: nowhere.
  ENDSTOP_METRICS_HOST: z
    .string()
    .refine(isHost, { error: 'a host name or an IP address, without a port' })
    .default('127.0.0.1'),
  ENDSTOP_METRICS_PORT: wholeNumber(0, 65_535).default(0),
  ENDSTOP_LOG_LEVEL: z.enum(logLevels, { error: `one of ${logLevels.join(', ')}` }).default('info'),
};

const shape = z.object(variables);

/** Names of the variables whose values are read here. */
export const readableNames: readonly string[] = Object.keys(variables);

/** Values of these may hold passwords or keys, so messages never repeat them. */
const secrets = new Set(['DATABASE_URL', 'ANTHROPIC_API_KEY', 'ENDSTOP_API_KEY', 'ANTHROPIC_BASE_URL']);

/** The variables' values; an empty one counts as unset. @throws ConfigError for the first that cannot be used. */
export function readVariables(env: Environment) {
  const present = Object.fromEntries(
    readableNames
      .map((name) => [name, env[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const read = shape.safeParse(present);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const name = String(issue?.path[0]);
  const shown = secrets.has(name) ? 'holds a value that cannot be used' : `is "${present[name]}"`;
  throw new ConfigError(`${name} ${shown}, but it must be ${issue?.message}.`);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text);
}

function isHostAndPort(text: string): boolean {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text);
  if (match === null) return false;
  const host = match[1] ?? match[2] ?? '';
  const port = Number(match[3]);
  return isHost(host) && port >= 1 && port <= 65_535;
}
