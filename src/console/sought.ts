import type { Spec } from '../spec/spec.js';

/** Whether a ready-made rule looks for this field in the document: a choice is not printed as it is spelled. */
export function isSought(spec: Pick<Spec, 'constraints'> | null, pointer: string): boolean {
  const rules = (spec?.constraints ?? []).filter(({ made }) => made?.by === 'printedInDocument');
  const patterns = [pointer, pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')];
  return rules.some(({ made }) =>
    made?.names.some(({ option, written }) => option === 'field' && patterns.includes(String(written))),
  );
}
