import { describe, expect, it } from 'vitest';
import { readReply } from '../../src/reply/read-reply.js';
import { completeStops, modes } from './told.js';

/** Forty lines were printed; generation stopped within the third. Closing it would make a record of 229.40 out of 1240.00. */
const invoice = `{"invoice_number": "INV-90412", "issue_date": "2024-11-03",
 "total": 1240.00, "currency": "USD", "status": "partial",
 "line_items": [{"description": "Rack unit 2U", "quantity": 2, "unit_price": 89.50},
                {"description": "Patch cable 3m", "quantity": 12, "unit_price": 4.20},
                {"description": "Shelf brack`;

const stops = [...completeStops, 'max_tokens', 'model_context_window_exceeded', 'refusal', 'pause_turn'];
const surroundings = [
  ['alone', '', ''],
  ['behind prose', 'Here is the invoice:\n', ''],
  ['in a closed fence', '```json\n', '\n```'],
  ['in a half fence', '```json\n', ''],
  ['before a closing remark', '', '\n\nThe remaining lines are omitted for brevity.'],
  ['behind a thinking block', '<think>Forty lines.</think>\n', ''],
] as const;

describe('an invoice cut in its third line item', () => {
  for (const mode of modes) {
    for (const [where, before, after] of surroundings) {
      it(`never becomes a value, at any cut position, with any stop reason (${mode}, ${where})`, () => {
        const values: string[] = [];
        for (let cut = 0; cut <= invoice.length; cut += 1) {
          for (const stopReason of stops) {
            const text = before + invoice.slice(0, cut) + after;
            if (readReply({ stopReason, text, mode }).kind === 'value')
              values.push(`${stopReason} at ${cut}`);
          }
        }
        expect(values).toEqual([]);
      });
    }
  }

  it('would be read once it is whole, so the positions above were not refused for another reason', () => {
    const text = `${invoice}et"}]}`;
    for (const mode of modes) {
      expect(readReply({ stopReason: 'end_turn', text, mode }).kind).toBe('value');
      expect(readReply({ stopReason: 'max_tokens', text, mode }).kind).toBe('failure');
    }
  });

  it('says that the input ran out, and where', () => {
    expect(readReply({ stopReason: 'end_turn', text: invoice, mode: 'plain' })).toMatchObject({
      failureClass: 'parse',
      code: 'incomplete',
      at: invoice.length,
    });
  });
});
