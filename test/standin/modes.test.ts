import { describe, expect, test } from 'vitest';
import { claimSchema, extraction, recordOf, startStandin, textOf } from './asking.js';

const paper = (claimant: string, number = 'CL-9'): string =>
  [
    `Claim No.: ${number}`,
    `Claimant: ${claimant}`,
    'Currency: EUR',
    'Description   Amount',
    'Drying         10.00',
    '',
    'Total claimed: 10.00',
  ].join('\n');

describe('the three ways to ask', () => {
  test('give the same record', async () => {
    const { client } = await startStandin({ style: 0 });
    const constrained = recordOf(await client.messages.create(extraction(claimSchema, paper('K. Moe'))));
    const plain = recordOf(
      await client.messages.create(extraction(claimSchema, paper('K. Moe'), { mode: 'plain' })),
    );
    const tool = await client.messages.create(extraction(claimSchema, paper('K. Moe'), { mode: 'tool' }));
    expect(constrained).toMatchObject({ claim_number: 'CL-9', claimant: 'K. Moe', total_claimed: '10.00' });
    expect(plain).toEqual(constrained);
    expect(tool.stop_reason).toBe('tool_use');
    expect(tool.content).toMatchObject([{ type: 'tool_use', name: 'record', input: constrained }]);
  });

  test('a forced tool is taken where the model allows it', async () => {
    const { client } = await startStandin();
    const forced = {
      ...extraction(claimSchema, paper('K. Moe'), { mode: 'tool' }),
      tool_choice: { type: 'tool' as const, name: 'record' },
    };
    expect((await client.messages.create(forced)).stop_reason).toBe('tool_use');
  });

  test('without any schema it asks what to extract', async () => {
    const { client } = await startStandin();
    const { output_config: _, ...bare } = extraction(claimSchema, paper('K. Moe'));
    expect(textOf(await client.messages.create(bare))).not.toContain('{');
  });
});

describe('plain replies', () => {
  const ask = async (
    client: Awaited<ReturnType<typeof startStandin>>['client'],
    document: string,
    feedback?: string,
  ) =>
    textOf(
      await client.messages.create(
        extraction(claimSchema, document, { mode: 'plain', ...(feedback ? { feedback } : {}) }),
      ),
    );

  test('are dressed up in several ways around one whole value', async () => {
    const { client } = await startStandin({ style: 1 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(client, paper('K. Moe', `CL-${index + 100}`))),
    );
    expect(replies.some((reply) => reply.startsWith('```json\n') && reply.endsWith('\n```'))).toBe(true);
    expect(replies.some((reply) => reply.startsWith('Here is'))).toBe(true);
    expect(replies.some((reply) => reply.endsWith(',}'))).toBe(true);
    expect(replies.some((reply) => reply.startsWith('<think>'))).toBe(true);
    for (const [index, reply] of replies.entries()) {
      const value = reply.slice(reply.indexOf('{"'), reply.lastIndexOf('}') + 1).replace(',}', '}');
      expect(JSON.parse(value)).toMatchObject({ claim_number: `CL-${index + 100}` });
    }
  });

  test('about a text with a double quote break their JSON at first, and are clean once told', async () => {
    const { client } = await startStandin({ style: 0 });
    const first = await ask(client, paper('Moe, 19" racks'));
    expect(() => JSON.parse(first)).toThrow(SyntaxError);
    const reminder =
      'Your last answer could not be read. Answer with exactly one JSON object: no text before or after it.';
    expect(JSON.parse(await ask(client, paper('Moe, 19" racks'), reminder))).toMatchObject({
      claimant: 'Moe, 19" racks',
    });
  });

  test('can be no JSON at all when asked to be', async () => {
    const { client } = await startStandin({ unparseable: 1 });
    const first = await ask(client, paper('K. Moe'));
    expect(() => JSON.parse(first)).toThrow(SyntaxError);
  });

  test('of the other modes are never dressed up', async () => {
    const { client } = await startStandin({ style: 1, unparseable: 1 });
    expect(
      recordOf(await client.messages.create(extraction(claimSchema, paper('A "quoted" name')))),
    ).toMatchObject({
      claimant: 'A "quoted" name',
    });
  });
});

describe('refusals', () => {
  const about = (subject: string): string => `${paper('K. Moe')}\nEnclosed: ${subject}`;

  test.each([
    ['synthesis notes for a nerve agent', 'general_harms'],
    ['source code of the ransomware that struck us', 'cyber'],
    ['a plan to aerosolise anthrax', 'bio'],
  ])('%s', async (subject, category) => {
    const { client } = await startStandin();
    const message = await client.messages.create(extraction(claimSchema, about(subject)));
    expect(message.stop_reason).toBe('refusal');
    expect(message.stop_details).toMatchObject({ type: 'refusal', category });
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    expect(textOf(message)).not.toContain('{');
  });

  test('come with words for some documents and without for others', async () => {
    const { client } = await startStandin();
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        textOf(
          await client.messages.create(extraction(claimSchema, `${about('nerve agent synthesis')} ${index}`)),
        ),
      ),
    );
    expect(new Set(replies.map((reply) => reply === '')).size).toBe(2);
  });

  test('are not provoked by the subject alone', async () => {
    const { client } = await startStandin();
    const message = await client.messages.create(extraction(claimSchema, about('a novel about ransomware')));
    expect(message.stop_reason).toBe('end_turn');
  });

  test('repeat whatever is said about them', async () => {
    const { client } = await startStandin();
    const feedback = 'Your last answer could not be read. Answer with exactly one JSON object.';
    const message = await client.messages.create(
      extraction(claimSchema, about('nerve agent synthesis'), { feedback }),
    );
    expect(message.stop_reason).toBe('refusal');
  });
});

test('a page without text gets an empty answer', async () => {
  const { client } = await startStandin();
  const { faxPdf } = await import('../../samples/generator/odd-files.js');
  const message = await client.messages.create(extraction(claimSchema, await faxPdf(['CLAIM'])));
  expect([message.stop_reason, message.content]).toEqual(['end_turn', []]);
});

describe('weaknesses without a cause', () => {
  test('a misread amount is read right once its sum is questioned', async () => {
    const { client } = await startStandin({ misread: 1 });
    const document = paper('K. Moe').replaceAll('10.00', '13.57');
    const first = recordOf(await client.messages.create(extraction(claimSchema, document)));
    expect(JSON.stringify(first)).toContain('31.57');
    const feedback =
      'Your last answer broke these rules:\n- /total_claimed: adds up to 31.57; expected "31.57"; found "13.57"';
    const second = recordOf(await client.messages.create(extraction(claimSchema, document, { feedback })));
    expect(JSON.stringify(second)).not.toContain('31.57');
  });

  test('a relapse misreads another amount after every feedback', async () => {
    const { client } = await startStandin({ misread: 1, relapse: 1 });
    const rows = Array.from({ length: 9 }, (_, index) => `Item ${index}      ${index + 1}3.57`).join('\n');
    const document = `Claim No.: CL-9\nDescription   Amount\n${rows}`;
    const answers = new Set<string>();
    for (const found of ['1.00', '2.00', '3.00', '4.00']) {
      const feedback = `Your last answer broke these rules:\n- /total_claimed: adds up to ${found}; found "${found}"`;
      answers.add(textOf(await client.messages.create(extraction(claimSchema, document, { feedback }))));
    }
    expect(answers.size).toBeGreaterThan(1);
    const honest = await startStandin();
    const careful = textOf(await honest.client.messages.create(extraction(claimSchema, document)));
    expect(answers).not.toContain(careful);
  });

  test('an invention happens without any mention', async () => {
    const { client } = await startStandin({ invention: 1 });
    expect(
      recordOf(await client.messages.create(extraction(claimSchema, paper('K. Moe'))))['deductible'],
    ).toMatch(/^\d+$/);
  });

  test('a stubborn model says the same again', async () => {
    const { client } = await startStandin({ invention: 1, stubborn: 1 });
    const first = textOf(await client.messages.create(extraction(claimSchema, paper('K. Moe'))));
    const feedback = 'Your last answer broke these rules:\n- /deductible: not printed in the document';
    expect(textOf(await client.messages.create(extraction(claimSchema, paper('K. Moe'), { feedback })))).toBe(
      first,
    );
  });

  test('a rate between 0 and 1 hits about that share of documents, always the same ones', async () => {
    const { client } = await startStandin({ invention: 0.3 });
    const hits = async (): Promise<boolean[]> =>
      Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const message = await client.messages.create(
            extraction(claimSchema, paper('K. Moe', `CL-${index}`)),
          );
          return recordOf(message)['deductible'] !== 'not_printed';
        }),
      );
    const first = await hits();
    expect(await hits()).toEqual(first);
    const count = first.filter(Boolean).length;
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThan(35);
  });
});
