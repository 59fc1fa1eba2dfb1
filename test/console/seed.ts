import PDFDocument from 'pdfkit';
import { claim } from '../../specs/claim/claim.js';
import type { Application } from '../../src/application/application.js';
import { extractionKey, subjectKey } from '../../src/application/keys.js';
import type { RunRef } from '../../src/domain/extraction-input.js';
import type { Reason } from '../../src/domain/reason.js';
import type { StoredJson } from '../../src/ports/attempt-store.js';
import { labelOf } from '../../src/spec/catalogue.js';
import type { Spec } from '../../src/spec/spec.js';
import type { DocumentText } from '../../src/verification/document-text.js';
import { verify } from '../../src/verification/verify.js';

/** A claim form as a broker prints it. Numbers tell papers apart. */
export function claimText(number: number, more = ''): string {
  return `HARBOUR BROKERS - Notice of claim

Claim No.: CL-${10_000 + number}                Policy No.: HO-500496
Claimant: Omar Rahman                  Date of loss: 14 April 2024
Currency: EUR

Description                        Amount
-----------------------------------------
Hull plating, port side            412.50
Rudder stock, straighten           287.13
-----------------------------------------

Total claimed                      699.63
Deductible                         100.00
${more}`;
}

/** What a model made of it: two digits of the total changed places. */
export function misread(number: number) {
  return {
    claim_number: `CL-${10_000 + number}`,
    policy_number: 'HO-500496',
    claimant: 'Omar Rahman',
    loss_date: '2024-04-14',
    currency: 'EUR',
    line_items: [
      { description: 'Hull plating, port side', amount: '412.50' },
      { description: 'Rudder stock, straighten', amount: '287.13' },
    ],
    total_claimed: '699.36',
    deductible: '100.00',
  };
}

export interface Seeded {
  readonly ref: RunRef;
  /** The review that asks about it. */
  readonly review: string;
}

export interface Seed {
  readonly tenant: string;
  /** Claims, unless another one is named. */
  readonly spec?: Spec;
  readonly mediaType?: string;
  readonly bytes: Uint8Array;
  readonly candidates: readonly StoredJson[];
  readonly fileName?: string;
  readonly tags?: readonly string[];
  readonly reason?: Reason;
  readonly amount?: string;
  readonly at?: number;
}

/** A document that was exhausted and waits for a person, with every rule really asked of what the model had made of it. */
export async function seedReview(app: Application, seed: Seed): Promise<Seeded> {
  const { tenant, spec = claim, bytes, candidates, mediaType = 'text/plain' } = seed;
  // Ended before now: pages are told of what ends later than anything did.
  const at = seed.at ?? app.now() - 10_000;
  const documentHash = await app.store.documents.put({ tenant, mediaType, bytes, at });
  const read = await app.reader.read({ mediaType, bytes });
  const text = read.kind === 'readable' ? read.text : null;
  const { id: specId, schemaVersion, promptVersion } = labelOf(spec);
  const parts = { tenant, documentHash, specId, schemaVersion, promptVersion };
  const key = extractionKey(parts);
  const subject = subjectKey(parts);
  const opening = await app.store.extractions.open(
    {
      ...{ ...parts, key, subject, policy: spec.policy, tags: seed.tags ?? ['test'], batchId: null, at },
      fileName: seed.fileName ?? 'claim.txt',
    },
    true,
  );
  const ref: RunRef = { ...parts, key, subject, run: opening.extraction.run };
  for (const [index, candidate] of candidates.entries()) {
    await attempt(app, spec, ref, index + 1, candidate, text, at + 1_000 * (index + 1));
  }
  await app.store.extractions.land({
    ...{
      ref,
      at: at + 5_000,
      route: 'human_review',
      bestAttempt: candidates.length > 0 ? candidates.length : null,
    },
    ending: {
      ...{ kind: 'unverified', attempts: candidates.length, reason: seed.reason ?? 'no_progress' },
      ...{ failureClass: 'constraint', diagnosis: null, repliesRead: candidates.length },
    },
    amount: { amount: seed.amount ?? '699.36', currency: 'EUR' },
    reviewDueAt: at + 86_400_000,
  });
  return { ref, review: subject };
}

async function attempt(
  app: Application,
  spec: Spec,
  ref: RunRef,
  number: number,
  candidate: StoredJson,
  text: DocumentText | null,
  at: number,
): Promise<void> {
  const lane = number === 1 ? 'first' : 'repair';
  const spending = { tokens: 980, cost: { amount: '0.000123', currency: 'USD' }, known: true };
  const model = spec.policy.models[0] ?? 'model';
  const callId = await app.store.attempts.beginCall({
    ...{ ref, attempt: number, lane, model, provider: 'stand-in', activityId: `a${number}` },
    ...{ estimate: spending, at: at - 800 },
  });
  const usage = {
    inputTokens: 900,
    outputTokens: 80,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    thinkingTokens: 0,
  };
  await app.store.attempts.endCall({
    ...{
      callId,
      state: 'answered',
      faultClass: null,
      status: 200,
      requestId: `req_${number}`,
      usage,
      spending,
      at,
    },
  });
  const verdict = verify(candidate, spec.constraints, { text, previous: null });
  const problems = verdict.kind === 'broken' ? verdict.problems : [];
  await app.store.attempts.commit({
    ref,
    report: {
      ...{
        attempt: number,
        lane,
        model,
        maxTokens: 1_500,
        promptVersion: ref.promptVersion,
        requestId: null,
      },
      result: {
        ...{
          kind: 'rejected',
          failureClass: 'constraint',
          candidateHash: `c${number}`,
          replyHash: `r${number}`,
        },
        problems: problems.map(({ rule, pointer }) => ({ rule, pointer })),
        ...{ repairable: true, contradiction: null, truncation: null },
      },
      ...{ normalisations: [], usage, tokens: 980, cost: spending.cost, durationMs: 800, calls: 1 },
    },
    ...{ problems, contradiction: null, candidate, verifierVersion: `${spec.id}@1`, sample: null, at },
    evidence: verdict.kind === 'fault' ? [] : verdict.evidence,
    ungrounded: verdict.kind === 'fault' ? [] : verdict.ungrounded,
    feedback: number === 1 ? null : '- /total_claimed: the lines add up to something else.',
  });
}

/** A claim as a PDF of one page, with more text below it. */
export const claimPdf = (number: number, more: string) => longPdf(1, number, more);

/** A PDF of so many pages; the claim stands on the last one. */
export async function longPdf(pages: number, number: number, more = ''): Promise<Uint8Array> {
  const pdf = new PDFDocument({ size: 'A4', margin: 50, compress: false });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve) => pdf.on('end', resolve));
  for (let page = 1; page < pages; page += 1) {
    pdf
      .font('Courier')
      .fontSize(10)
      .text(`Schedule of terms, sheet ${page}\n\n${'Nothing is claimed on this sheet.\n'.repeat(40)}`);
    pdf.addPage();
  }
  pdf.font('Courier').fontSize(10).text(claimText(number, more));
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
