import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceDefinition } from '../../specs/invoice/definition.js';
import type { CliContext } from '../../src/cli/context.js';
import { createProgram } from '../../src/cli/program.js';
import { runProgram } from '../../src/cli/run.js';
import { readConfig } from '../../src/config.js';
import { defineSpec } from '../../src/spec/index.js';
import { type House, openHouse } from '../support/house.js';

interface Truth {
  readonly spec: string;
  readonly outcome: 'verified' | 'unverified';
  readonly reason?: string;
  readonly route?: string;
  readonly attempts: number;
}

/** Enough for two versions at once: this is about the curve, not about the budget. */
const repairBudget = { share: 1, floor: 100, windowMs: 300_000 };
const current = defineSpec({ id: 'invoice', ...invoiceDefinition, repairBudget });
const next = defineSpec({
  id: 'invoice',
  ...invoiceDefinition,
  prompt: { version: '2', text: `${invoiceDefinition.prompt.text}\nRead every page.` },
  repairBudget,
});

const truths = readdirSync('samples/truth')
  .map((name) => JSON.parse(readFileSync(`samples/truth/${name}`, 'utf8')) as Truth)
  .filter(({ spec }) => spec === 'invoice');
const verifiedWithin = (attempts: number) =>
  truths.filter((truth) => truth.outcome === 'verified' && truth.attempts <= attempts).length;

let house: House;
beforeAll(async () => {
  house = await openHouse({ specs: [current, next] });
});
afterAll(() => house.close());

describe('given the sample invoices on a real server', () => {
  it('when a prompt is evaluated beside the current one, then both curves are those of the truth files', async () => {
    const out: string[] = [];
    const errors: string[] = [];
    const { app } = house;
    const context: CliContext = {
      terminal: {
        out: (text) => void out.push(text),
        error: (text) => void errors.push(text),
        drained: async () => undefined,
        isColoured: false,
        showsProgress: false,
      },
      exitCode: 0,
      config: () => readConfig({ ENDSTOP_STANDIN_URL: house.standinUrl }, undefined, '/tmp'),
      openStore: async () => ({ ...app.store, close: async () => undefined }),
      openEngine: async () => ({ ...app.engine, close: async () => undefined }),
      catalogue: async () => app.catalogue,
      strangeSpecs: () => null,
      reader: () => app.reader,
      engineUrl: () => null,
      now: Date.now,
    };
    const program = await createProgram(context, { version: '0', checks: [] });
    const code = await runProgram(program, context, ['spec', 'eval', 'invoice', '--with', '2', '--json']);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const evaluations = out
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(evaluations.map(({ label }) => label)).toMatchObject([
      { promptVersion: '2' },
      { promptVersion: '1' },
    ]);
    const unverified = truths.filter(({ outcome }) => outcome === 'unverified');
    for (const evaluation of evaluations) {
      expect(evaluation).toMatchObject({
        documents: truths.length,
        right: verifiedWithin(3),
        wrong: [],
        unjudged: 0,
        curve: [1, 2, 3].map((attempts) => ({ attempts, verified: verifiedWithin(attempts) })),
      });
      const landed = evaluation['landed'] as { reason: string; route: string; documents: number }[];
      for (const { reason, route } of unverified) {
        const documents = unverified.filter((each) => each.reason === reason && each.route === route).length;
        expect(landed).toContainEqual({ reason, route, documents });
      }
    }
    // A tenant of its own: nothing of it is in anybody's list.
    const { items } = await app.store.extractions.list({ tenant: 'default' }, { limit: 1 });
    expect(items).toEqual([]);
  });
});
