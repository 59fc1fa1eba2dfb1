import { describe, expect, it } from 'vitest';
import { fieldsByTemplate, recognisingTemplates } from '../../src/spec/apply-templates.js';
import { identifier, money } from '../../src/spec/field.js';
import type { Spec } from '../../src/spec/spec.js';
import type { Template } from '../../src/spec/template.js';

const text = { pages: ['a page'] };
const broken = (): never => {
  throw new Error('a bug in a template');
};
const template = (changes: Partial<Template>): Template => ({
  id: 'found',
  fields: ['claim_number'],
  recognises: () => true,
  extract: () => ({ claim_number: 'CL-1' }),
  ...changes,
});
const fields = { claim_number: identifier('Claim number'), total: money('Total') };
const specWith = (...templates: readonly Template[]) => ({ templates, fields }) as unknown as Spec;

describe('templates', () => {
  it('give the fields of the first that finds any', () => {
    const spec = specWith(
      template({ id: 'other', recognises: () => false }),
      template({ id: 'empty', extract: () => ({}) }),
      template({}),
      template({ id: 'later' }),
    );
    expect(fieldsByTemplate(spec, text)).toEqual({ template: 'found', fields: { claim_number: 'CL-1' } });
  });

  it('give no value that its field would not take, and no field that the spec does not have', () => {
    const odd = { claim_number: 'CL-1', total: 'none', constructor: 'x', toString: 'y' };
    const misread = template({ id: 'misread', extract: () => ({ total: '1.796,89' }) });
    const spec = specWith(misread, template({ extract: () => odd }));
    expect(fieldsByTemplate(spec, text)).toEqual({ template: 'found', fields: { claim_number: 'CL-1' } });
  });

  it('that throw recognise nothing and find nothing, since a document must land all the same', () => {
    const spec = specWith(template({ id: 'blind', recognises: broken }), template({ extract: broken }));
    expect(recognisingTemplates(spec, text).map(({ id }) => id)).toEqual(['found']);
    expect(fieldsByTemplate(spec, text)).toBeNull();
  });
});
