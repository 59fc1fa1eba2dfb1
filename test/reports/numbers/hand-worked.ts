import { given, type HandWorkedNumbers, number } from '../../support/hand-worked.js';
import { runs } from './runs.js';
import { shares } from './shares.js';
import {
  answered,
  byLine,
  early,
  ended,
  failed,
  instants,
  late,
  lineOf,
  lostRows,
  meanOf,
  money,
  ofEnded,
  ofMade,
  own,
  passedBy,
  rejectedOf,
  repaired,
  replies,
  sum,
  unverified,
  verified,
} from './tempting.js';

/** Verified at once, wrong, and checked. */
const firstClaims = [5, 1, 4] as const;
const firstLetters = [1, 0, 1] as const;

/** Five first passes, one second and one third attempt, and a letter; what is not told by a comment is a count of the rows. */
export const numbers: HandWorkedNumbers = {
  'counts.documents': number([14], [runs.length]),
  'counts.runs': number([15], [14]),
  // Whatever did not fail, against what is verified.
  'counts.verified': number([8], [runs.length - unverified]),
  'counts.unverified': number([6], [runs.length - verified.length]),
  'counts.open': number([1], [runs.length - verified.length]),
  // 15 runs: 5 + 2 + 3 + 1 + 3 + 2 + 1 + 0 + 1 + 3 + 1, of which two had no reply, and one is still on the wire.
  'counts.attempts': number([22], [replies.length]),
  'counts.unanswered': number([1], [runs.filter(({ unanswered }) => unanswered !== null).length]),
  'counts.calls': number([23], [22]),
  'counts.failedCalls': number([1], [replies.filter(({ accepted }) => !accepted).length]),
  // Deadlines: one wasted an attempt, one was refused one, one waited it away. Only two of them passed.
  'reasons[].runs': number(
    [3, 1, 1, 1],
    [ended.filter(({ endedAt, deadlineAt }) => (endedAt ?? 0) >= deadlineAt).length, ...[1, 1, 1]],
  ),
  'routes[].runs': number([4, 2], [unverified, 0]),
  // By attempt; by document a stubborn one would count like an easy one.
  'classes[].attempts': number(
    [8, 2, 1, 1],
    ['constraint', 'truncated', 'refusal', 'schema'].map(rejectedOf),
  ),

  'yield.cap': given(5),
  'yield.attempts[].attempt': given(1, 2, 3),
  // The one that never got a slot made none; the one whose reply never came made two.
  'yield.attempts[].reached': number([14, 5, 2], [1, 2, 3].map(answered)),
  'yield.attempts[].passed': number([6, 1, 1], [6, 7, 8]),
  ...shares(
    'yield.attempts[].conditional',
    [
      [6, 14],
      [1, 5],
      [1, 2],
    ],
    [1, 2, 3].map((n) => passedBy(n) / answered(n)),
  ),
  ...shares(
    'yield.attempts[].cumulative',
    [
      [6, 15],
      [7, 15],
      [8, 15],
    ],
    [6, 7, 8].map((n) => n / ended.length),
  ),
  // One of four checked claims was wrong, the checked letter was not: of six first passes 5 x 3/4 + 1 are right. Nobody
  // checked a record of the second attempt: not 0 of 0 wrong, but unknown, and with it all that it is part of.
  ...shares(
    'yield.attempts[].netConditional',
    [
      [6, 14],
      [1, 5],
      [1, 2],
    ],
    [(6 / 14) * (4 / 5), 1 / 5, 1 / 2],
    [[firstClaims, firstLetters], [[1, 0, 0]], [[1, 0, 1]]],
  ),
  ...shares(
    'yield.attempts[].net',
    [
      [6, 15],
      [7, 15],
      [8, 15],
    ],
    // The verdicts of all attempts in one heap.
    [(6 / 15) * (4 / 5), (7 / 15) * (4 / 5), (8 / 15) * (5 / 6)],
    [
      [firstClaims, firstLetters],
      [firstClaims, firstLetters, [1, 0, 0]],
      [firstClaims, firstLetters, [1, 0, 0], [1, 0, 1]],
    ],
  ),
  'yield.attempts[].rescuedPerThousand': number([0, 1_000 / 15, 1_000 / 15], [0, 1_000 / 5, 1_000 / 2]),
  'yield.attempts[].netRescuedPerThousand': number(
    [0, null, 1_000 / 15],
    [0, (1_000 * 5) / 6 / 15, (1_000 * 5) / 6 / 15],
  ),
  // At cap 1 the slowest is the one that waited 60 s for a slot; at 2 the one cut off after 90 s; at 3 one is open.
  'yield.attempts[].p99Ms': number([60_000, 90_000, null], [1, 2, 3].map(ofMade)),
  'yield.attempts[].addedP99Ms': number(
    [0, 30_000, null],
    [1, 2, 3].map((n) => (ofMade(n) ?? 0) - (ofMade(1) ?? 0)),
  ),

  'latency.deadlineMs': given(600_000),
  'latency.lineMs': given(300_000),
  'latency.all.ended': number([14], [verified.length]),
  'latency.all.open': number([1], [0]),
  // Of 15, in seconds: seven of 1, then 1.5, 2, 4, 7, 8, 60, 90 and one open for 120. The eighth is the median.
  'latency.all.p50Ms': number([1_500], [ofEnded(0.5)]),
  'latency.all.p95Ms': number([null], [ofEnded(0.95)]),
  'latency.all.p99Ms': number([null], [ofEnded(0.99)]),
  'latency.lines[].from': given(...instants(0, 300)),
  'latency.lines[].ended': number(
    [8, 6],
    [early, late].map((at) => verified.filter(lineOf(at)).length),
  ),
  'latency.lines[].open': number([0, 1], [0, 0]),
  // The first line: five of 1, then 1.5, 4, 7. The second: 1, 1, 2, 8, 60, 90 and the open one: of 7 the fourth.
  'latency.lines[].p50Ms': number([1_000, 8_000], byLine(0.5)),
  'latency.lines[].p95Ms': number([7_000, null], byLine(0.95)),
  'latency.lines[].p99Ms': number([7_000, null], byLine(0.99)),
  // Its age, not the time since its last reply.
  'latency.openMs[]': number([120_000], [120_000 - 3_000]),

  'cost.failedFirst': number([8], [repaired.length]),
  // Documents, not the attempts that were made on their way.
  'cost.recovered': number([2], [sum(verified.map(({ attempts }) => attempts.length - 1))]),
  ...shares('cost.recovery', [[2, 8]], [2 / repaired.length]),
  // The third attempt's record says nothing of the second's; in one heap both would be right.
  ...shares(
    'cost.net',
    [[2, 8]],
    [2 / 8],
    [
      [
        [1, 0, 0],
        [1, 0, 1],
      ],
    ],
  ),
  'cost.byAttempt[].attempt': given(2, 3),
  'cost.byAttempt[].recovered': number([1, 1], [1, 2]),
  ...shares(
    'cost.byAttempt[].recovery',
    [
      [1, 8],
      [1, 8],
    ],
    [1 / answered(2), 1 / answered(3)],
  ),
  ...shares(
    'cost.byAttempt[].net',
    [
      [1, 8],
      [1, 8],
    ],
    [1 / 8, 1 / 8],
    [[[1, 0, 0]], [[1, 0, 1]]],
  ),
  'cost.byAttempt[].ofRecovered': number([1 / 2, 1 / 2], [1 / 2, 1]),
  'cost.repairs': number([8], [replies.length - answered(1)]),
  // 300, 200 + 400, 200 + 500, 700, 200 + 650: those that recovered nothing, and those without a reply, are paid too.
  'cost.repairTokens': number([3_150], [300 + 200 + 500]),
  'cost.repairCost[].amount': number(['0.315'], ['0.1']),
  'cost.tokensPerRecovered': number([1_575], [(300 + 200 + 500) / 2]),
  'cost.costPerRecovered[].amount': number(['0.157500'], [money(0.1 / 2)]),
  // 14 first attempts of 100 each.
  'cost.tokens': number([4_550], [sum(replies.map(({ tokens }) => tokens))]),
  'cost.cost[].amount': number(['0.455'], [String(sum(replies.map(({ tokens }) => tokens)) / 10_000)]),
  'cost.tokensPerVerified': number([568.75], [own(({ tokens }) => tokens) / verified.length]),
  'cost.costPerVerified[].amount': number(
    ['0.056875'],
    [money(own(({ cost }) => Number(cost.amount)) / verified.length)],
  ),
  // Twelve decisions in 36 minutes of deciding; by the calendar it would be twelve in thirty days.
  'cost.reviewer.reviewsPerHour': number([20], [12 / (30 * 24)]),
  'cost.reviewer.perHour.amount': given('40'),
  'cost.reviewer.perReview.amount': number(['2.000000'], [money(40 / 25)]),

  // Whole candidates of claims: 5 + 2 + 2 + 1 + 1 + 1 + 1 + 2. Four of them lack rows, of three documents.
  'completeness.compared': number([15], [16]),
  'completeness.incomplete': number([4], [3]),
  ...shares('completeness.complete', [[11, 15]], [1]),
  // The one with a schema problem was well-formed JSON, but no candidate.
  'completeness.wellFormed': number([16], [17]),
  'completeness.cutOff': number([2], [rejectedOf('truncated')]),
  'completeness.verifiedCompared': number([7], [verified.length]),
  'completeness.verifiedUncompared': number([1], [0]),
  'completeness.restored': number([1], [verified.filter(({ attempts }) => attempts.length > 1).length]),
  'completeness.keptOut': number(
    [1],
    [runs.filter((each) => !verified.includes(each) && lostRows(each)).length],
  ),

  'repairs[].budget.share': given(0.5),
  'repairs[].budget.floor': given(1),
  'repairs[].budget.windowMs': given(10_000),
  'repairs[].primaries': number([13, 1], [14, 1]),
  'repairs[].repairs': number([8, 0], [replies.length - answered(1), 0]),
  'repairs[].share': number([8 / 13, 0], [repaired.length / 13, 0]),
  // In the 10 s before 304 s: five first calls and five repairs, where half of the first calls are allowed.
  'repairs[].tightest.until': given(...instants(304)),
  'repairs[].tightest.primaries': number([5], [13]),
  'repairs[].tightest.repairs': number([5], [8]),
  'repairs[].tightest.allowed': number([2], [Math.floor(13 / 2)]),
  'repairs[].refused': number(
    [1, 0],
    [failed.filter((each) => !repaired.includes(each) && each.attempts.length > 0).length, 0],
  ),
  // 304 s in 239 steps of 1.272 s; the last one belongs to the letter.
  'repairs[].windows[].until': { ...given(...instants(0, 1.272, 304, 300)), at: [0, 1, 239, 240] },
  'repairs[].windows[].share': number(
    [0, 2 / 7, 3 / 8, 3 / 1, null, 5 / 5, 0],
    [0, ...[1, 2, 3, 4, 5].map(() => 8 / 13), 0],
    [0, 3, 4, 10, 15, 239, 240],
  ),

  'estimates.begun': number([22], [replies.length]),
  'estimates.wasted': number([1], [runs.filter(({ reason }) => reason === 'deadline').length]),
  'estimates.wastedTokens': number([700], [0]),
  'estimates.refused': number(
    [1],
    [runs.filter(({ reason, unanswered }) => reason === 'deadline' && unanswered === null).length],
  ),
  // 1.5 s were left; second attempts took 1, 2, 2 and 2 s. First attempts are faster and say nothing about it.
  'estimates.expectedEarly': number(
    [1 / 4],
    [replies.filter(({ durationMs }) => durationMs <= 1_500).length / replies.length],
  ),
  'estimates.waitedAway': number(
    [1],
    [ended.filter(({ endedAt, deadlineAt }) => (endedAt ?? 0) >= deadlineAt).length],
  ),

  // Of eight that were drawn six were looked at: the other two are not right, they are unknown.
  'audits.decided': number([6], [8]),
  'audits.defects': number([1], [8 - 5]),
  ...shares('audits.defectRate', [[1, 6]], [1 / 8]),
  'audits.byAttempt[].attempt': given(1, 2, 3),
  'audits.byAttempt[].decided': number([5, 0, 1], [1, 2, 3].map(passedBy)),
  'audits.byAttempt[].defects': number(
    [1, 0, 0],
    [1, 2, 3].map((n) => passedBy(n) / 6),
  ),
  ...shares(
    'audits.byAttempt[].defectRate',
    [
      [1, 5],
      [0, 0],
      [0, 1],
    ],
    [1 / 6, 1 / 6, 1 / 6],
  ),

  'lanes.lineMs': given(5_000),
  // Six first calls begin together at 300 s, two of which end later than the others. Repairs: from 301 s a cut off one, the
  // one of which nobody saw the end, and the open run's. The highest mean of five seconds would be far below both.
  'lanes.lanes[].peak': number([6, 3], [8 / 5, 13 / 5]),
  'lanes.lanes[].lines[].from': { ...given(...instants(0, 415, 0, 415)), at: [0, 83, 84, 167] },
  // Seconds within five: first 5 + 1 + 1 + 1, 0.5, and 5 + 2. Repairs from 300 s: 2 + 2 + 4 + 2 + 1, then 3 + 5 + 5, then
  // both that are on the wire, then the open one. Without those, of which nobody saw the end, it would be 2 + 2 + 2 and 3.
  'lanes.lanes[].lines[].busy': number(
    [8 / 5, 0.5 / 5, 7 / 5, 11 / 5, 13 / 5, 10 / 5, 5 / 5, 5 / 5],
    [8 / 5, 0.5 / 5, 7 / 5, 6 / 5, 3 / 5, 0, 0, 0],
    [0, 1, 60, 84 + 60, 84 + 61, 84 + 62, 84 + 78, 84 + 83],
  ),

  'figures.measuredRuns': number([15], [14]),
  // Eight within a minute; 15 in five minutes would be a third of that.
  'figures.peakPerSecond': number([8 / 60], [15 / 300]),
  'figures.documentsPerDay': number([15], [(15 * 86_400) / 300]),
  'figures.attempts[].cumulativePass': number(
    [6 / 15, 7 / 15, 8 / 15],
    [6, 7, 8].map((n) => n / ended.length),
  ),
  'figures.attempts[].reached': number(
    [14 / 15, 5 / 15, 2 / 15],
    [1, 2, 3].map((n) => answered(n) / 15),
  ),
  // First: 5 + 1 + 1 + 1.5 + 1 + 4 + 2 s. Second: 2 of its two calls, 2, 2, 2, and 89 until the deadline.
  'figures.attempts[].meanMs': number(
    [15_500 / 14, 97_000 / 5, 9_000 / 2],
    [1, 2, 3].map((n) => meanOf(n, ({ durationMs }) => durationMs)),
  ),
  'figures.attempts[].p99Ms': number([60_000, 90_000, null], [1, 2, 3].map(ofMade)),
  'figures.attempts[].wrongShare': number([5 / 4 / 6, null, 0], [1 / 6, 1 / 6, 1 / 6]),
  'figures.attempts[].tokens': number(
    [100, 1_600 / 5, 450],
    [1, 2, 3].map((n) => meanOf(n, ({ tokens }) => tokens)),
  ),
  'figures.attempts[].cost.amount': number(
    ['0.010000', '0.032000', '0.045000'],
    [1, 2, 3].map((n) => money(meanOf(n, ({ tokens }) => tokens) / 10_000)),
  ),
};
