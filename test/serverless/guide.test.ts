import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readBlocks } from '../docs/guide.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'endstop-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const published = 'arn:aws:lambda:us-east-1:123456789012:function:endstop-worker:7';
/** What is asked of AWS in words: a version's address, and the outputs of the stack, each answered by its own name. */
const awsSays = `case "$2" in
  publish-version) echo '${published}' ;;
  describe-stacks) expr "$6" : ".*OutputKey=='\\([A-Za-z]*\\)'" ;;
esac
`;
const blocks = (await readBlocks('docs/serverless.md')).filter(({ language }) => language === 'sh');
const script = blocks.map(({ text }) => text).join('\n');
const variablesIn = (text: string) =>
  [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name ?? '');
const assignedIn = (text: string) => [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '');

/** The commands of the guide as a reader's shell gives them to programs: those only write down what they were given. */
async function followed(): Promise<readonly (readonly string[])[]> {
  const log = join(folder, 'log');
  for (const name of ['aws', 'docker', 'npm', 'npx', 'temporal']) {
    const path = join(folder, name);
    const says = name === 'aws' ? awsSays : '';
    writeFileSync(
      path,
      `#!/bin/sh\n{ echo ${name}; printf '%s\\n' "$@"; echo; } >>'${log}'\n${says}exit 0\n`,
    );
    chmodSync(path, 0o755);
  }
  const given = new Set(variablesIn(script).filter((name) => !assignedIn(script).includes(name)));
  const assignments = [...given].map((name) => `${name}='the ${name}'`);
  const text = ['set -eu', ...assignments, script].join('\n');
  await run('bash', ['--norc', '-c', text], { env: { PATH: `${folder}:${process.env['PATH']}` } });
  return readFileSync(log, 'utf8')
    .split('\n\n')
    .filter((command) => command !== '')
    .map((command) => command.split('\n'));
}

const commands = await followed();
const commandOf = (...words: readonly string[]): readonly string[] => {
  const found = commands.find((command) => words.every((word) => command.includes(word)));
  if (found === undefined) throw new Error(`the guide has no command ${words.join(' ')}`);
  return found;
};
const optionOf = (command: readonly string[], option: string) => command[command.indexOf(option) + 1];

describe('docs/serverless.md', () => {
  it('builds an image that Lambda takes: one manifest, for the processor that the template asks for', () => {
    const build = commandOf('docker', 'build');
    expect(build).toContain('--provenance=false');
    expect(optionOf(build, '--platform')).toBe('linux/amd64');
    const architectures = readFileSync('deploy/serverless.yaml', 'utf8').match(/Architectures: .*/g);
    expect(architectures).toEqual(['Architectures: [x86_64]', 'Architectures: [x86_64]']);
  });

  it('hands every value that the reader gave to the parameter that it is for', () => {
    const deploy = commandOf('cloudformation', 'deploy');
    const given = deploy
      .slice(deploy.indexOf('--parameter-overrides') + 1)
      .map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);
    expect(Object.fromEntries(given)).toEqual({
      ImageUri: 'the REGISTRY/endstop:v1',
      BuildId: 'v1',
      SecretArn: 'the SECRET',
      TemporalAddress: 'the ADDRESS',
      TemporalNamespace: 'the NAMESPACE',
      TemporalPrincipalArn: 'the PRINCIPAL',
      TemporalExternalId: 'the EXTERNAL_ID',
      SubnetIds: 'the SUBNETS',
      SecurityGroupIds: 'the SECURITY_GROUPS',
    });
  });

  it('gives every parameter of the template that has no default', () => {
    const { Parameters: parameters } = parse(readFileSync('deploy/serverless.yaml', 'utf8'), {
      logLevel: 'silent',
    }) as { Parameters: Record<string, { Default?: unknown }> };
    const needed = Object.entries(parameters).filter(([, { Default: usual }]) => usual === undefined);
    const deploy = commandOf('cloudformation', 'deploy').join('\n');
    expect(needed.map(([name]) => name).filter((name) => !deploy.includes(`\n${name}=`))).toEqual([]);
  });

  it('has Lambda try nothing again of the very version that the Temporal server invokes', () => {
    const version = commandOf('deployment', 'create-version');
    expect(optionOf(version, '--aws-lambda-function-arn')).toBe(published);
    expect(optionOf(version, '--aws-lambda-assume-role-arn')).toBe('InvokerRoleArn');
    expect(optionOf(commandOf('publish-version'), '--function-name')).toBe('WorkerFunctionArn');
    const config = commandOf('put-function-event-invoke-config');
    expect(optionOf(config, '--function-name')).toBe(published);
    expect(optionOf(config, '--maximum-retry-attempts')).toBe('0');
    expect(commands.indexOf(config)).toBeLessThan(commands.indexOf(version));
    // One of the template's could only be of the version that nobody invokes.
    expect(readFileSync('deploy/serverless.yaml', 'utf8')).not.toContain('EventInvokeConfig');
  });
});
