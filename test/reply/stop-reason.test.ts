import { describe, expect, it } from 'vitest';
import { readReply } from '../../src/reply/read-reply.js';
import { completeStops, modes, told } from './told.js';

const whole = '{"total":"1240.00"}';

describe('the stop reason is looked at before the text', () => {
  for (const mode of modes) {
    it(`a cut reply is truncated even when its text would read (${mode})`, () => {
      expect(readReply({ stopReason: 'max_tokens', text: whole, mode })).toEqual({
        kind: 'failure',
        failureClass: 'truncated',
        code: 'max_tokens',
        at: null,
        message: 'The reply was cut off at its token ceiling.',
        truncation: 'max_tokens',
      });
      expect(readReply({ stopReason: 'model_context_window_exceeded', text: whole, mode })).toMatchObject({
        failureClass: 'truncated',
        code: 'context_window',
        truncation: 'context_window',
      });
    });

    it(`a reply cut while the model was still thinking holds no text and is truncated, not empty (${mode})`, () => {
      expect(readReply({ stopReason: 'max_tokens', text: '', mode })).toMatchObject({
        failureClass: 'truncated',
      });
    });

    it(`a refusal is a refusal with text, without text and with JSON for text (${mode})`, () => {
      for (const text of ['', 'I cannot help with this document.', whole]) {
        expect(readReply({ stopReason: 'refusal', text, mode })).toMatchObject({
          kind: 'failure',
          failureClass: 'refusal',
          code: 'refusal',
          at: null,
          truncation: null,
        });
      }
    });

    it(`an unknown stop reason is a parse failure whatever the text (${mode})`, () => {
      for (const stopReason of [
        'pause_turn',
        'length',
        'stop',
        '',
        'END_TURN',
        'constructor',
        'something_new',
      ]) {
        expect(readReply({ stopReason, text: whole, mode })).toMatchObject({
          failureClass: 'parse',
          code: 'unknown_stop_reason',
          truncation: null,
        });
      }
    });

    it(`a complete stop is read (${mode})`, () => {
      for (const stopReason of completeStops) {
        expect(told(readReply({ stopReason, text: whole, mode }))).toBe(whole);
      }
    });

    it(`a complete stop without text is empty, never an empty record (${mode})`, () => {
      for (const stopReason of completeStops) {
        for (const text of ['', ' \n\t\r', '\uFEFF', '\u00a0\uFEFF\n']) {
          expect(readReply({ stopReason, text, mode })).toEqual({
            kind: 'failure',
            failureClass: 'empty',
            code: 'empty',
            at: null,
            message: 'The reply ended by itself but holds no text.',
            truncation: null,
          });
        }
      }
    });
  }
});
