import type { Spec } from '../src/spec/spec.js';
import type { Template } from '../src/spec/template.js';
import type { DocumentText } from '../src/verification/document-text.js';

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
    const fields = orElse(() => template.extract(text), {});
    if (Object.keys(fields).length > 0) return { template: template.id, fields };
  }
  return null;
}

function orElse<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
