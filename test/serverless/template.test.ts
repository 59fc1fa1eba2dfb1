import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseDocument, type ScalarTag } from 'yaml';
import { readConfig, variableNames } from '../../src/config.js';

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
  readonly Parameters: Readonly<Record<string, Json>>;
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
const variablesOf = ({ Properties }: Resource) =>
  (Properties['Environment'] as { Variables: Record<string, Json> }).Variables;

describe('deploy/serverless.yaml', () => {
  it('is valid, and refers only to what is there', () => {
    expect(parsed.errors).toEqual([]);
    expect(parsed.warnings).toEqual([]);
    const known = [...Object.keys(template.Parameters), ...Object.keys(template.Resources)];
    const references = [
      ...referencesIn({ ...template.Resources } as never),
      ...referencesIn(template.Outputs),
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

  it('sets only what the code reads, and enough of it to serve', () => {
    for (const lambda of functions) {
      const variables = variablesOf(lambda);
      expect(Object.keys(variables).filter((name) => !variableNames.includes(name))).toEqual([]);
      const values: Record<string, string> = {
        DATABASE_URL: 'postgres://db/endstop',
        TEMPORAL_ADDRESS: 'temporal.example:7233',
        TEMPORAL_UI_URL: 'https://cloud.temporal.io',
        ENDSTOP_FIRST_SLOTS: '14',
        ENDSTOP_REPAIR_SLOTS: '4',
        ENDSTOP_API_KEY: 'sixteen-characters',
        ENDSTOP_CODEC_KEYS: '',
      };
      const env = Object.fromEntries(Object.keys(variables).map((name) => [name, values[name] ?? 'x']));
      const config = readConfig(env, undefined, '/');
      expect(config.temporal.access?.tls).toEqual({});
      expect(config.model.provider).toBe('anthropic');
    }
    const [worker, api] = functions.map((lambda) => Object.keys(variablesOf(lambda)));
    expect(worker).toEqual(expect.arrayContaining(['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID']));
    expect(api).toContain('ENDSTOP_API_KEY');
  });

  it('keeps secrets in the secret', () => {
    for (const lambda of functions)
      for (const [name, value] of Object.entries(variablesOf(lambda)))
        if (/KEY|DATABASE_URL/.test(name))
          expect(value).toEqual({
            'Fn::Sub': `{{resolve:secretsmanager:\${SecretArn}:SecretString:${name}}}`,
          });
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
    const { AssumeRolePolicyDocument: trust, Policies: policies } =
      template.Resources['InvokerRole']?.Properties ?? {};
    expect(JSON.stringify(trust)).toContain(
      '{"StringEquals":{"sts:ExternalId":{"Ref":"TemporalExternalId"}}}',
    );
    const [policy] = policies as {
      PolicyDocument: { Statement: { Action: string[]; Resource: Json[] }[] };
    }[];
    const [statement] = policy?.PolicyDocument.Statement ?? [];
    expect(statement?.Action).toEqual(['lambda:InvokeFunction', 'lambda:GetFunction']);
    expect(JSON.stringify(statement?.Resource)).not.toContain('"*"');
    expect(referencesIn(statement?.Resource ?? [])).toEqual(['WorkerFunction', 'WorkerFunction']);
  });
});
