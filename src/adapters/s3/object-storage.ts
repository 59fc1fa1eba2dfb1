import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStorage } from '../../ports/object-storage.js';
import { StoreUnavailable } from '../../ports/store.js';

export interface S3Options {
  readonly bucket: string;
  /** In front of every key, with its slash; empty for none. */
  readonly prefix: string;
  /** How long one request may take; default 15 s, as long as a statement of the database. */
  readonly requestTimeoutMs?: number;
}

/**
 * Objects in an S3 bucket, or one of a server that speaks S3. Region, credentials and endpoint are found the way every
 * AWS program finds them: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_ENDPOINT_URL_S3, or the machine's own role.
 */
export function createS3Storage(options: S3Options): ObjectStorage {
  const { bucket, prefix } = options;
  // The package is loaded with the first object: most commands never touch one.
  let opened: Promise<{ s3: typeof import('@aws-sdk/client-s3'); client: S3Client }> | null = null;
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((s3) => ({ s3, client: newClient(s3, options) }));
    return opened;
  };
  const place = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    async put(key, bytes) {
      const { s3, client } = await open();
      await client
        .send(new s3.PutObjectCommand({ ...place(key), Body: bytes, ContentLength: bytes.length }))
        .catch((error: unknown) => refuse(error, bucket));
    },
    async get(key) {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(place(key)));
        return (await Body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return null;
        return refuse(error, bucket);
      }
    },
    async remove(key) {
      const { s3, client } = await open();
      await client
        .send(new s3.DeleteObjectCommand(place(key)))
        .catch((error: unknown) => refuse(error, bucket));
    },
    async ping() {
      const { s3, client } = await open();
      await client
        .send(new s3.HeadBucketCommand({ Bucket: bucket }))
        .catch((error: unknown) => refuse(error, bucket));
    },
  };
}

function newClient(
  { S3Client: Client }: typeof import('@aws-sdk/client-s3'),
  { requestTimeoutMs = 15_000 }: S3Options,
): S3Client {
  const ownServer = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  return new Client({
    maxAttempts: 3,
    // Servers other than Amazon's seldom have a host name for each bucket, or the newer checksums.
    forcePathStyle: ownServer !== undefined && ownServer !== '',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}

/** What a person can do about it, by the names S3 gives its errors. Their messages quote requests and are left out. */
function refuse(error: unknown, bucket: string): never {
  const name = error instanceof Error ? error.name : 'unknown error';
  throw new StoreUnavailable(
    `The bucket "${bucket}" of ENDSTOP_DOCUMENTS_URL ${reasons[name] ?? `cannot be used (${name})`}.`,
  );
}

const reasons: Readonly<Record<string, string>> = {
  NoSuchBucket: 'does not exist: create it, or correct the name',
  NotFound: 'does not exist: create it, or correct the name',
  AccessDenied: 'refuses these credentials: allow reading, writing and deleting its objects',
  Forbidden: 'refuses these credentials: allow reading, writing and deleting its objects',
  InvalidAccessKeyId: 'does not know these credentials: correct AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'does not know these credentials: correct AWS_SECRET_ACCESS_KEY',
  CredentialsProviderError:
    'needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role',
  TimeoutError: 'did not answer in time',
};
