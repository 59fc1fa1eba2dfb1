import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseDocument, type ScalarTag } from 'yaml';
import { readConfig, variableNames } from '../../src/config.js';
import { workerSize } from '../../src/main/worker-size.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
interface Resource {
  readonly Type: string;
  readonly Properties: { readonly [key: string]: Json };
}

/** CloudFormation's short forms, each read as the object that it stands for. */
const shortForm = (name: string, kind: 'Ref' | 'Fn::GetAtt' | 'Fn::Sub'): ScalarTag => ({
  tag: `!${name}`,
  resolve: (text) => ({ [kind]: text }),
});
const text = readFileSync('deploy/serverless.yaml', 'utf8');
const parsed = parseDocument(text, {
  customTags: [shortForm('Ref', 'Ref'), shortForm('GetAtt', 'Fn::GetAtt'), shortForm('Sub', 'Fn::Sub')],
});
const template = parsed.toJS() as {
  readonly Parameters: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly Conditions: Readonly<Record<string, { readonly 'Fn::Equals': readonly [Json, string] }>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, Json>>;
};

/** Every name that something refers to. */
function referencesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [String(inner).split('.')[0] ?? ''];
    if (key === 'Fn::Sub') return [...String(inner).matchAll(/\$\{([\w:]+)/g)].map(([, name]) => name ?? '');
    return referencesIn(inner);
  });
}

const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
const accesses = (template.Parameters['TemporalAccess']?.['AllowedValues'] ?? []) as readonly string[];

/** A function's variables as one way into the Temporal server sets them. */
function variablesOf({ Properties }: Resource, access = 'api-key'): Readonly<Record<string, Json>> {
  const { Variables: variables } = Properties['Environment'] as { Variables: Record<string, Json> };
  const chosen = Object.entries(variables).flatMap(([name, value]): [string, Json][] => {
    const [condition, yes = null, no = null] =
      (value as { readonly 'Fn::If'?: readonly [string, Json, Json] })['Fn::If'] ?? [];
    if (condition === undefined) return [[name, value]];
    const one = template.Conditions[condition]?.['Fn::Equals'][1] === access ? yes : no;
    return JSON.stringify(one) === '{"Ref":"AWS::NoValue"}' ? [] : [[name, one]];
  });
  return Object.fromEntries(chosen);
}

/** The statements of a role's own policies. */
const statementsOf = (role: string) =>
  (
    (template.Resources[role]?.Properties['Policies'] ?? []) as {
      PolicyDocument: { Statement: { Effect: string; Action: Json; Resource: Json }[] };
    }[]
  ).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

describe('deploy/serverless.yaml', () => {
  it('is valid, and refers only to what is there', () => {
    expect(parsed.errors).toEqual([]);
    expect(parsed.warnings).toEqual([]);
    const known = [...Object.keys(template.Parameters), ...Object.keys(template.Resources)];
    const references = [
      ...referencesIn({ ...template.Resources } as never),
      ...referencesIn(template.Outputs),
      ...referencesIn({ ...template.Conditions } as never),
    ];
    expect(references.length).toBeGreaterThan(30);
    const missing = references.filter((name) => !known.includes(name) && !name.startsWith('AWS::'));
    expect(missing).toEqual([]);
    const unused = Object.keys(template.Parameters).filter((name) => !references.includes(name));
    expect(unused).toEqual([]);
  });

  it('runs the handlers that are built', () => {
    const build = readFileSync('bin/bundle-lambda.mjs', 'utf8');
    const commands = functions.map(({ Properties }) => Properties['ImageConfig'] as { Command: string[] });
    expect(commands.map(({ Command }) => Command)).toEqual([['worker.handler'], ['api.handler']]);
    for (const { Command } of commands) {
      const [module] = (Command[0] ?? '').split('.');
      expect(build).toMatch(new RegExp(`\\b${module}: \`\\$\\{root\\}src/main/lambda`));
    }
  });

  it.each(accesses)('sets only what the code reads, and enough of it to serve: %s', (access) => {
    for (const lambda of functions) {
      const variables = variablesOf(lambda, access);
      expect(Object.keys(variables).filter((name) => !variableNames.includes(name))).toEqual([]);
      const values: Record<string, string> = {
        DATABASE_URL: 'postgres://db/endstop',
        TEMPORAL_ADDRESS: 'temporal.example:7233',
        TEMPORAL_UI_URL: 'https://cloud.temporal.io',
        TEMPORAL_TLS: String(variables['TEMPORAL_TLS']),
        TEMPORAL_TLS_SERVER_CA_CERT_DATA: '',
        TEMPORAL_TLS_SERVER_NAME: '',
        ENDSTOP_API_KEY: 'sixteen-characters',
        ENDSTOP_CODEC_KEYS: '',
      };
      // Reading a certificate is a matter of test/config; here it is only asked for.
      const env = Object.fromEntries(
        Object.keys(variables)
          .filter((name) => !name.includes('_CLIENT_'))
          .map((name) => [name, values[name] ?? 'x']),
      );
      const config = readConfig(env, undefined, '/');
      expect(config.temporal.access?.tls ?? null).toEqual(access === 'clear' ? null : {});
      expect(config.temporal.access?.apiKey ?? null).toBe(access === 'api-key' ? 'x' : null);
      expect(config.model.provider).toBe('anthropic');
      expect(Object.keys(variables).filter((name) => name.includes('_CLIENT_'))).toEqual(
        access === 'mtls' ? ['TEMPORAL_TLS_CLIENT_CERT_DATA', 'TEMPORAL_TLS_CLIENT_KEY_DATA'] : [],
      );
    }
    const [worker, api] = functions.map((lambda) => Object.keys(variablesOf(lambda, access)));
    expect(worker).toEqual(expect.arrayContaining(['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID']));
    expect(api).toContain('ENDSTOP_API_KEY');
  });

  it('keeps secrets in the secret', () => {
    const secrets = accesses.flatMap((access) =>
      functions.flatMap((lambda) =>
        Object.entries(variablesOf(lambda, access)).filter(([name]) =>
          /KEY|DATABASE_URL|_CLIENT_/.test(name),
        ),
      ),
    );
    expect(secrets.length).toBeGreaterThan(20);
    for (const [name, value] of secrets)
      expect(value).toEqual({ 'Fn::Sub': `{{resolve:secretsmanager:\${SecretArn}:SecretString:${name}}}` });
  });

  it('shows secrets to nobody who may only ask what a function is: the variables have a key of the account', () => {
    const key = { 'Fn::GetAtt': 'EnvironmentKey.Arn' };
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) expect(Properties['KmsKeyArn']).toEqual(key);
    expect(statementsOf('ExecutionRole')).toEqual([
      { Effect: 'Allow', Action: 'kms:Decrypt', Resource: key },
    ]);
    expect(statementsOf('InvokerRole')).toContainEqual({ Effect: 'Deny', Action: 'kms:*', Resource: '*' });
    // The key itself lets in nobody by name: only what policies of the account allow.
    const { Statement: statements = [] } = (template.Resources['EnvironmentKey']?.Properties['KeyPolicy'] ??
      {}) as {
      Statement?: { Principal: Json }[];
    };
    expect(statements.map(({ Principal }) => Principal)).toEqual([
      { AWS: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root` } },
    ]);
  });

  it('leaves the slots to the memory, and its descriptions and the guide say how many come of it', () => {
    const sizeAt = (memoryMib: number) => workerSize({ cores: 2, memoryMib, heapMib: memoryMib / 2 });
    const { Default: usual, Description: said } = template.Parameters['WorkerMemory'] ?? {};
    const { first, repair } = sizeAt(Number(usual));
    expect([first, repair]).toEqual([8, 2]);
    expect([sizeAt(2048).first, sizeAt(2048).repair]).toEqual([2, 1]);
    expect(said).toContain('10 at 4096, 3 at 2048');
    const guide = readFileSync('docs/serverless.md', 'utf8');
    expect(guide).toContain(`| memory | ${usual} MB |`);
    expect(guide).toContain(`documents at once / ${first + repair} `);
    expect(text).not.toMatch(/_SLOTS/);
  });

  it('gives the worker time for its longest attempt', () => {
    expect(template.Resources['WorkerFunction']?.Properties['Timeout']).toBe(900);
  });

  it('lets everybody reach the URL of the API, and the API in no other way', () => {
    const permissions = Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties);
    const everybody = { FunctionName: { Ref: 'ApiFunction' }, Principal: '*' };
    expect(permissions).toEqual([
      { ...everybody, Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
      { ...everybody, Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
    ]);
  });

  it('lets the named principal invoke the workers with the external id, and nothing else', () => {
    const { AssumeRolePolicyDocument: trust = null } = template.Resources['InvokerRole']?.Properties ?? {};
    expect(JSON.stringify(trust)).toContain(
      '{"StringEquals":{"sts:ExternalId":{"Ref":"TemporalExternalId"}}}',
    );
    const [statement, ...denied] = statementsOf('InvokerRole');
    expect(denied.every(({ Effect }) => Effect === 'Deny')).toBe(true);
    expect(statement?.Action).toEqual(['lambda:InvokeFunction', 'lambda:GetFunction']);
    expect(JSON.stringify(statement?.Resource)).not.toContain('"*"');
    expect(referencesIn(statement?.Resource ?? [])).toEqual(['WorkerFunction', 'WorkerFunction']);
  });
});
