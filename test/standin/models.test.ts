import { expect, test } from 'vitest';
import { startStandin } from './asking.js';

const { client } = await startStandin();

test('the models are listed with what they can do', async () => {
  const models: string[] = [];
  for await (const model of client.models.list()) models.push(model.id);
  expect(models).toContain('claude-haiku-5-5');
  const haiku = await client.models.retrieve('claude-haiku-5-5');
  expect(haiku.capabilities?.structured_outputs.supported).toBe(true);
  expect(haiku.capabilities?.pdf_input.supported).toBe(true);
  expect(haiku.max_tokens).toBe(128_000);
  expect(haiku.lifecycle).toBe('active');
});

test('a model nobody knows is not found', async () => {
  await expect(client.models.retrieve('claude-nobody')).rejects.toMatchObject({
    status: 404,
    type: 'not_found_error',
  });
});
