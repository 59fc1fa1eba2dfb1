/** An example of the API description, with what it is one of. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}

interface OperationExamples {
  /** Of its JSON body. */
  readonly request?: Readonly<Record<string, Example>>;
  /** By status. */
  readonly answers?: Readonly<Record<number, Readonly<Record<string, Example>>>>;
}

const id = '3f9a1c20b7d4e58861c05be2fd0734cb3b2f9a9d7c61e0f4a8d25c139e7b6042';
/** Of the text that the first example hands in. */
const documentHash = '650b19251ef14846a033891b56313ae4f1104fbaa0c4363f0de3fa186311e051';

const running = {
  ...{ id, run: 1, state: 'running', outcomeKind: null, reason: null, failureClass: null, route: null },
  ...{ spec: 'claim', schemaVersion: '1', promptVersion: '1', tenant: 'acme', documentHash },
  ...{ fileName: 'claim-1.txt', tags: ['march'], batch: null, provider: null, model: null },
  ...{ attempts: 0, calls: 0, tokens: 0, cost: { amount: '0', currency: 'USD' } },
  ...{ startedAt: '2026-03-01T12:00:00.000Z', deadlineAt: '2026-03-01T12:01:00.000Z' },
  ...{ closedAt: null, durationMs: null, erasedAt: null },
};
const ended = {
  ...running,
  ...{ state: 'ended', outcomeKind: 'verified', provider: 'anthropic' },
  ...{ model: 'claude-haiku-5-5', attempts: 2, calls: 2, tokens: 3_120 },
  ...{ cost: { amount: '0.00441', currency: 'USD' } },
  ...{ closedAt: '2026-03-01T12:00:04.182Z', durationMs: 4_182 },
};
const parked = {
  ...ended,
  ...{ outcomeKind: 'unverified', reason: 'no_progress', failureClass: 'constraint', route: 'dead_letter' },
};
const whole = { outcome: null, humanRecord: null, engineUrl: null };
const record = {
  ...{ claim_number: 'CL-81138', policy_number: 'PX-145945', claimant: 'Luca Petrova' },
  ...{ loss_date: '2024-12-27', currency: 'BHD' },
  line_items: [
    { description: 'Replacement of carpet, room 26', amount: '1000.250' },
    { description: 'Inspection of window frame, room 33', amount: '204.125' },
  ],
  ...{ total_claimed: '1204.375', deductible: '200.000' },
};
const verified = {
  ...{ kind: 'verified', record, attempts: 2, verifierVersion: 'claim@1', normalisations: [], tokens: 3_120 },
};
const unverified = {
  ...{ kind: 'unverified', bestEffort: { ...record, total_claimed: '1204.37' }, attempts: 2, tokens: 3_120 },
  ...{ reason: 'no_progress', failureClass: 'constraint', diagnosis: null, route: 'dead_letter' },
  unmet: [
    {
      ...{ rule: 'total-equals-sum', pointer: '/total_claimed' },
      message: 'The amounts add up to 1204.375, which is not the total.',
      ...{ expected: '1204.375', found: '1204.37' },
    },
  ],
  fallback: null,
};

const reads = {
  verified: { summary: 'It verified.', value: { ...ended, ...whole, outcome: verified } },
  unverified: {
    summary: 'It did not: a result, no error.',
    value: { ...parked, ...whole, outcome: unverified },
  },
  running: { summary: 'It still runs.', value: { ...running, ...whole } },
};
const submission = (kind: string) => ({ submission: { kind, policyDiffers: false } });

const batch = {
  ...{ id: '28214916fb6b5a19', name: 'march', state: 'running', tenant: 'acme', spec: 'claim' },
  ...{ schemaVersion: '1', promptVersion: '1', tags: [], documents: 2, waiting: 0, underWay: 1 },
  ...{ verified: 1, unverified: 0, unverifiedBy: {}, refused: 0 },
  ...{ runs: { own: 1, followed: 0, known: 1, repeated: 0 }, tokens: 3_120, budgetTokens: 30_000_000 },
  ...{ projectedTokens: null, attemptCap: 3, createdAt: '2026-03-01T12:00:00.000Z' },
  ...{ beganAt: '2026-03-01T12:00:00.120Z', deadlineAt: null, endedAt: null },
};

const review = {
  ...{ id, kind: 'exhausted', extractionId: id, run: 1, spec: 'claim', tenant: 'acme', state: 'decided' },
  ...{ version: 2, reason: 'no_progress', failureClass: 'constraint', holder: null, leaseExpiresAt: null },
  ...{ amount: { amount: '1204.375', currency: 'BHD' }, createdAt: '2026-03-01T12:00:05.000Z' },
  ...{ dueAt: '2026-03-01T16:00:05.000Z', overdue: false, escalatedAt: null },
  ...{ decidedAt: '2026-03-01T12:20:00.000Z', verdict: 'reject', withdrawn: null },
};

const drawn = {
  ...{ id, run: 1, tenant: 'acme', spec: 'claim', promptVersion: '1', attempt: 2, fileName: 'claim-1.txt' },
  ...{ verdict: 'wrong', actor: 'kim', judgedAt: '2026-03-02T09:00:00.000Z' },
};
const audit = {
  ...{ id: 'b1946ac92492d234', seed: 7, size: 50, drawnAt: '2026-03-02T08:00:00.000Z' },
  ...{ spec: 'claim', version: null, failureClass: null, tenant: 'acme' },
  ...{ since: '2026-02-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' },
  ...{ drawn: 2, right: 0, wrong: 1, defectRate: { share: 1, interval: { low: 0.206, high: 1 } } },
  records: [drawn, { ...drawn, id: documentHash, verdict: null, actor: null, judgedAt: null }],
};

/** Of the operations that most programs use, by the operation's id. */
export const examples: Readonly<Record<string, OperationExamples>> = {
  submitExtraction: {
    request: {
      text: {
        summary: 'A text',
        value: {
          ...{ spec: 'claim', document: { text: 'Claim number: CL-1' } },
          ...{ fileName: 'claim-1.txt', tags: ['march'] },
        },
      },
      bytes: {
        summary: 'A file in base64, under tighter bounds than its spec has',
        value: {
          ...{ spec: 'invoice', document: { base64: 'SW52b2ljZSBJTlYtNw==', mediaType: 'text/plain' } },
          budgets: { attemptCap: 2, deadlineMs: 30_000, moneyCap: { amount: '0.01', currency: 'USD' } },
        },
      },
      stored: {
        summary: 'A document that was handed in before, by its hash',
        value: { spec: 'invoice', document: { sha256: documentHash } },
      },
    },
    answers: {
      200: {
        verified: { ...reads.verified, value: { ...reads.verified.value, ...submission('ended') } },
        unverified: { ...reads.unverified, value: { ...reads.unverified.value, ...submission('ended') } },
      },
      202: { running: { ...reads.running, value: { ...reads.running.value, ...submission('started') } } },
    },
  },
  readExtraction: { answers: { 200: reads } },
  listExtractions: {
    answers: {
      200: { page: { summary: 'The last page', value: { items: [ended, parked], nextCursor: null } } },
    },
  },
  submitBatch: {
    request: {
      march: {
        summary: 'Two documents under one budget',
        value: {
          ...{ spec: 'claim', name: 'march', tokens: 30_000_000 },
          documents: [
            { document: { text: 'Claim number: CL-2' }, fileName: 'claim-2.txt' },
            { document: { documentHash }, tags: ['again'] },
          ],
        },
      },
    },
    answers: { 202: { march: { summary: 'It goes on by itself.', value: batch } } },
  },
  readBatch: { answers: { 200: { march: { summary: 'It runs.', value: batch } } } },
  decideReview: {
    request: {
      reject: {
        summary: 'It is no claim',
        value: { actor: 'kim', verb: 'reject', note: 'A letter, not a claim.' },
      },
    },
    answers: {
      200: { reject: { summary: 'Rejected.', value: { review, unmet: [], redriven: null } } },
    },
  },
  claimNextReview: {
    request: { claims: { summary: 'The first claim that is free', value: { actor: 'kim', spec: 'claim' } } },
  },
  claimReview: {
    request: {
      free: { summary: 'One that nobody holds', value: { actor: 'kim' } },
      steal: {
        summary: 'One that another person holds',
        value: { actor: 'kim', steal: 'Sam is off sick.' },
      },
    },
  },
  holdReview: { request: { kim: { summary: 'Kim still works on it', value: { actor: 'kim' } } } },
  releaseReview: { request: { kim: { summary: 'Kim lets go of it', value: { actor: 'kim' } } } },
  checkReview: {
    request: {
      values: { summary: 'What the rules say of these values', value: { values: record } },
      candidate: { summary: "What they say of the machine's candidate", value: { values: null } },
    },
  },
  saveReviewDraft: {
    request: {
      half: {
        summary: 'Half done',
        value: { actor: 'kim', values: { claim_number: 'CL-81138' }, note: 'Line 3 is hard to read.' },
      },
    },
  },
  pauseRepairs: {
    request: {
      claims: {
        summary: 'Those of claims, after a bad prompt',
        value: { spec: 'claim', reason: 'v7 breaks every total', actor: 'kim' },
      },
    },
  },
  resumeRepairs: {
    request: { claims: { summary: 'Those of claims', value: { spec: 'claim', actor: 'kim' } } },
  },
  setTenantLimits: {
    request: {
      few: { summary: 'At most 200 open, five a second', value: { mostOpen: 200, perSecond: 5 } },
    },
  },
  redrive: {
    request: {
      count: {
        summary: 'Only count them',
        value: { filter: { reason: 'provider_unavailable' }, dryRun: true },
      },
      many: {
        summary: 'At most a thousand that made no progress, five a second',
        value: { filter: { spec: 'claim', reason: 'no_progress' }, max: 1_000, perSecond: 5 },
      },
      one: { summary: 'One, wherever it went', value: { id } },
    },
    answers: {
      200: { count: { summary: 'Nothing was started.', value: { kind: 'counted', parked: 42 } } },
      202: {
        many: {
          summary: 'It goes on by itself.',
          value: { kind: 'redriving', id: '97e13a552420f716', isNew: true, parked: 42 },
        },
        one: { summary: 'A further run.', value: { kind: 'running', extraction: { ...running, run: 2 } } },
      },
    },
  },
  drawAudit: {
    request: {
      again: {
        summary: 'Fifty claims of a month, the same whenever it is asked for',
        value: {
          size: 50,
          seed: 7,
          spec: 'claim',
          since: '2026-02-01T00:00:00Z',
          until: '2026-04-01T00:00:00Z',
        },
      },
    },
    answers: { 200: { again: { summary: 'Two had verified by then.', value: audit } } },
  },
  judgeRecord: {
    request: { wrong: { summary: 'An amount is wrong', value: { verdict: 'wrong', actor: 'kim' } } },
    answers: { 200: { wrong: { summary: 'It is kept.', value: { id, verdict: 'wrong', before: null } } } },
  },
  addWebhook: {
    request: {
      acme: {
        summary: 'For what happens to documents of one tenant',
        value: { url: 'https://example.com/hook', tenant: 'acme' },
      },
    },
  },
};
