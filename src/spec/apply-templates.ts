import type { DocumentText } from '../verification/document-text.js';
import type { Spec } from './spec.js';
import type { Template } from './template.js';

/**
 * Templates are a spec author's code and run while a document lands: one that throws recognises or finds nothing,
 * since it must not keep the document from landing.
 */
export function recognisingTemplates(spec: Spec, text: DocumentText): readonly Template[] {
  return spec.templates.filter((template) => orElse(() => template.recognises(text), false));
}

/** Fields found by the first template that finds any; null when none does. */
export function fieldsByTemplate(
  spec: Spec,
  text: DocumentText,
): { readonly template: string; readonly fields: Readonly<Record<string, string>> } | null {
  for (const template of recognisingTemplates(spec, text)) {
    const found = Object.entries(orElse(() => template.extract(text), {}));
    const fields = Object.fromEntries(found.filter(([name, value]) => fits(spec, name, value)));
    if (Object.keys(fields).length > 0) return { template: template.id, fields };
  }
  return null;
}

/** What stands in the document is no value of the field when it is spelled as none: a name where an amount should be. */
function fits(spec: Spec, name: string, value: string): boolean {
  return Object.hasOwn(spec.fields, name) && spec.fields[name]?.schema.safeParse(value).success === true;
}

function orElse<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
