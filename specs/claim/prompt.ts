import type { Prompt } from '../../src/spec/index.js';

export const claimPrompt: Prompt = {
  version: '1',
  text: [
    'The document is a claim form that a broker sent to an insurer.',
    'The total claimed is the sum of the claimed items before any deductible.',
    'The deductible may be carried on another schedule and then is not on the form at all: say "not_printed".',
  ].join('\n'),
};
