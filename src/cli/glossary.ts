import type { FailureClass } from '../domain/failure-class.js';
import { reasonSays } from '../domain/reason.js';
import { facts } from './table.js';

const words: readonly (readonly [word: string, says: string])[] = [
  [
    'spec',
    'what to read from one kind of document: fields, rules, prompt, bounds, and where it lands when it fails',
  ],
  ['extraction', 'one document under one spec, with an id; each time it is run is a run of it'],
  ['attempt', 'one answer of the model, checked by every rule; the next one is told which were broken'],
  ['repair', 'every attempt after the first'],
  ['call', 'one request to the model; an attempt takes one, and more when requests fail'],
  [
    'verified',
    'every rule holds and every value is printed in the document; human_verified: a person said so',
  ],
  ['unverified', 'it ended otherwise, for one of the reasons below'],
  ['exhausted', 'unverified, with nothing left to try'],
  ['class', 'what was wrong with one answer: one of the classes below'],
  [
    'ceiling',
    'the most tokens that one answer may have; a cut-off answer is asked for again under a higher one',
  ],
  [
    'route',
    'where an unverified run goes: fallback (templates read it), human_review, best_effort, dead_letter',
  ],
  ['landing', 'a run coming to its end: its outcome stored, its route taken'],
  ['review', 'a question to a person, with a time by which it wants an answer'],
  ['dead letter', 'a run that is parked: it waits until somebody mends the cause and redrives it'],
  ['redrive', 'run a dead letter again'],
  ['batch', 'many documents under one budget and one deadline'],
  ['lane', 'a task queue of first attempts or of repairs: a burst of repairs cannot hold up new documents'],
  ['slot', 'room for one attempt at a time in a worker; each lane has slots of its own'],
  ['tenant', 'whose document it is; keys, limits and retention are per tenant'],
  ['truth set', 'documents whose right record is known: a folder with files/ and truth/'],
  [
    'evaluation',
    'what a version of a spec came to on a truth set (spec eval); its runs belong to tenants of their own',
  ],
  ['false pass', 'a record that verified and is wrong all the same; audits find them'],
  ['world', 'what a simulation assumes: traffic, answers, people and money, seeded so that it repeats'],
  ['engine', 'Temporal, which carries runs over crashes and restarts'],
  ['stand-in', 'a small local program that answers like the Messages API, without a model'],
  ['Messages API', 'how a model is asked: the API of Anthropic, or of a server that speaks it'],
];

const classes: Readonly<Record<FailureClass, string>> = {
  truncated: 'it was cut off at its ceiling',
  refusal: 'the model refused',
  parse: 'it was not exactly one whole JSON value',
  schema: 'fields were missing, misspelt or of the wrong type',
  constraint: 'it broke a rule, or a value is not printed in the document',
  empty: 'nothing was in it',
  verifier_fault: 'a rule threw an error, so that nothing could be said',
};

/** What the words of the commands mean, with every class and reason. */
export function glossary(): string {
  return [
    `Words:\n\n${facts(words)}`,
    `Classes, of one answer (--class):\n\n${facts(Object.entries(classes))}`,
    `Reasons, of an unverified run (--reason):\n\n${facts(Object.entries(reasonSays))}`,
  ].join('\n');
}
