import type { JsonRecord } from './records.js';

/** One sample as the index lists it. */
export interface Sample {
  readonly name: string;
  /** Spec id the document is meant for. */
  readonly spec: string;
  /** File name within `files/`. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly truth: Truth;
}

/** What must become of a sample. Call counts hold for a stand-in with its default behaviour, whatever its seed. */
export type Truth =
  | {
      readonly outcome: 'verified';
      readonly attempts: number;
      /** Requests at the model. */
      readonly calls: number;
      /** Class of each attempt that failed, in order. */
      readonly attemptClasses: readonly string[];
      /** The record, to the digit. */
      readonly record: JsonRecord;
    }
  | {
      readonly outcome: 'unverified';
      readonly reason: string;
      /** Null when no reply was read. */
      readonly failureClass: string | null;
      readonly attempts: number;
      readonly calls: number;
      readonly attemptClasses: readonly string[];
      readonly route: 'dead_letter' | 'human_review' | 'fallback' | 'best_effort';
    };

export const verified = (record: JsonRecord, ...attemptClasses: readonly string[]): Truth => ({
  outcome: 'verified',
  attempts: attemptClasses.length + 1,
  calls: attemptClasses.length + 1,
  attemptClasses,
  record,
});

/** A run whose every attempt brought a reply and failed. */
export const exhausted = (
  reason: string,
  route: 'dead_letter' | 'human_review' | 'fallback' | 'best_effort',
  ...attemptClasses: readonly string[]
): Truth => ({
  outcome: 'unverified',
  reason,
  failureClass: attemptClasses.at(-1) ?? null,
  attempts: attemptClasses.length,
  calls: attemptClasses.length,
  attemptClasses,
  route,
});

/** Content that no model is ever asked about. */
export const unreadable: Truth = exhausted('unreadable_document', 'dead_letter');
