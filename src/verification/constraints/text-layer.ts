import type { Constraint } from '../constraint.js';
import { hasText } from '../document-text.js';

/** The document has a text layer to look values up in. Broken for scans, where no repair can help. */
export function textLayer(id = 'text-layer'): Constraint<unknown> {
  return {
    id,
    version: 1,
    says: 'The document has a text layer in which every value can be found',
    repairable: false,
    check: (_record, { text }) =>
      hasText(text)
        ? []
        : [
            {
              pointer: '',
              message:
                'The document has no text layer, so no value of it can be checked against what is printed.',
              expected: null,
              found: null,
            },
          ],
  };
}
