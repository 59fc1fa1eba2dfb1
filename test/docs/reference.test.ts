import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureClasses } from '../../src/domain/failure-class.js';
import { reasons } from '../../src/domain/reason.js';
import { requestModes } from '../../src/domain/request-mode.js';
import { routeNames } from '../../src/domain/route.js';
import * as authoring from '../../src/spec/index.js';
import { printKinds } from '../../src/verification/grounding/locate.js';

const reference = readFileSync('docs/spec-reference.md', 'utf8');
/** Names within code spans: `{ version, text }` says two. */
const named = new Set(
  [...reference.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.match(/\w+/g) ?? []),
);
const missing = (names: readonly string[]) => names.filter((name) => !named.has(name));

describe('the reference of specs', () => {
  it('leaves out nothing that can be imported, types included', () => {
    const source = readFileSync('src/spec/index.ts', 'utf8');
    const exported = [...source.matchAll(/export (?:type )?\{([^}]+)\}/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
    );
    const names = exported.filter((name) => name !== '');
    expect(names).toEqual(expect.arrayContaining(Object.keys(authoring)));
    expect(missing(names)).toEqual([]);
  });

  it('leaves out no option of a ready-made rule, in the line of that rule', () => {
    // Options are known without being given.
    const rules = Object.entries(authoring).flatMap(([name, make]) => {
      try {
        const { made } = (make as (options: object) => authoring.Constraint<unknown>)({
          field: '',
          addends: [],
        });
        return made === undefined ? [] : [[name, made.takes] as const];
      } catch {
        return [];
      }
    });
    expect(rules.map(([name]) => name).sort()).toEqual([
      'allowedCodes',
      'baseTimesRate',
      'dateOrder',
      'fixedDecimals',
      'lineArithmetic',
      'minorUnits',
      'printedInDocument',
      'printedRowCount',
      'signByDocumentType',
      'sumEqualsTotal',
    ]);
    for (const [name, takes] of rules) {
      const line = reference.split('\n').find((each) => each.startsWith(`| \`${name}\` |`)) ?? '';
      expect([name, takes.filter((option) => !line.includes(`\`${option}\``))]).toEqual([name, []]);
      // An example of each.
      expect(line).toContain(`\`${name}({`);
    }
  });

  it('leaves out no part of a spec, a policy or a route, and no word of a closed list', () => {
    const { defaultPolicy: policy, defaultRepairBudget: budget } = authoring;
    expect(
      missing([...Object.keys(policy), ...Object.keys(policy.transport), ...Object.keys(policy.outage)]),
    ).toEqual([]);
    expect(missing(Object.keys(budget))).toEqual([]);
    expect(missing([...reasons, ...failureClasses, ...routeNames, ...requestModes, ...printKinds])).toEqual(
      [],
    );
    const parts = /its parts are (.*)\.$/.exec(refusal({ nothing: 1 }))?.[1]?.split(', ') ?? [];
    expect(parts).toContain('examples');
    expect(missing(parts)).toEqual([]);
    const conditions =
      /there is (.*)\.$/
        .exec(refusal({ policy: { routes: [{ when: { zzzzzzzz: 1 } }] } }))?.[1]
        ?.split(', ') ?? [];
    expect(conditions).toContain('pagesAtLeast');
    expect(missing(conditions)).toEqual([]);
    const prints =
      /there is (.*)\.$/.exec(said(() => authoring.money('T', { zzzzzzz: 1 } as never)))?.[1]?.split(', ') ??
      [];
    expect(prints).toContain('anySign');
    expect(missing(prints)).toEqual([]);
  });

  it('says the defaults as they are', () => {
    const { attemptCap, deadlineMs, tokenCap, tokenCeilings, transport, models, estimateMs } =
      authoring.defaultPolicy;
    const row = (name: string) =>
      reference.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    expect(row('attemptCap')).toMatch(new RegExp(`\\| ${attemptCap} \\|$`));
    expect(row('deadlineMs')).toMatch(new RegExp(`\\| ${deadlineMs} \\|$`));
    expect(row('tokenCap')).toMatch(new RegExp(`\\| ${tokenCap} \\|$`));
    expect(row('tokenCeilings')).toContain(`| ${tokenCeilings.join(', ')} |`);
    expect(row('estimateMs')).toContain(`| ${estimateMs.join(', ')} |`);
    expect(row('transport')).toContain(`| ${transport.maximumCalls}, ${transport.backoffTotalMs} |`);
    expect(row('models')).toContain(models.map((model) => `\`${model}\``).join(', '));
    const { share, floor, windowMs } = authoring.defaultRepairBudget;
    expect(row('repairBudget')).toContain(`${share}, ${floor}, ${windowMs}`);
  });
});

function refusal(change: object): string {
  const definition = {
    ...{ id: 'a', title: 'A', schemaVersion: '1', prompt: { version: '1', text: 'Read.' } },
    ...{ fields: { total: authoring.money('Total') }, constraints: [], ...change },
  };
  return said(() => authoring.defineSpec(definition));
}

function said(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
