/** What is printed of the runs, worked out by hand as well: shares to a tenth of a per cent, times to a tenth of a second. */
export const sheet = `runs begun  2026-01-31 10:07 UTC to 2026-03-02 10:07 UTC
documents   14, in 15 runs
runs        8 verified, 6 unverified, 1 open
attempts    22, 1 without a reply
calls       23, 1 failed on the way
reasons     deadline 3, attempt_cap 1, refusal 1, repair_budget 1
rejections  constraint 8, truncated 2, refusal 1, schema 1

Yield by attempt; bounds at 95 %
ATTEMPT  MADE  PASSED               OF THOSE          OF ALL SO FAR  RESCUED/1000                   NET  RESCUED NET      P99  P99 ADDED
      1    14       6  42.9 % (21.4 to 67.4)  40.0 % (19.8 to 64.3)           0.0  31.7 % (7.8 to 61.8)          0.0   60.0 s          -
      2     5       1   20.0 % (3.6 to 62.4)  46.7 % (24.8 to 69.9)          66.7                     -            -   90.0 s     30.0 s
      3     2       1   50.0 % (9.5 to 90.5)  53.3 % (30.1 to 75.2)          66.7                     -         66.7  unknown    unknown
NET is not known (-) where nobody checked records that this attempt, or one before it, verified of a spec (endstop audit sample).

Time to an outcome, by when runs began
BEGUN FROM (UTC)  ENDED  OPEN    P50      P95      P99
2026-03-02 10:00      8     0  1.0 s    7.0 s    7.0 s
2026-03-02 10:05      6     1  8.0 s  unknown  unknown
All: p50 1.5 s, p95 unknown, p99 unknown; 1 open ones counted as longer than so far; the oldest open for 2.0 min.

Recovery, and what it costs
ATTEMPT  RECOVERED  OF THOSE THAT FAILED FIRST                   NET  OF ALL RECOVERED
      2          1        12.5 % (2.2 to 47.1)                     -            50.0 %
      3          1        12.5 % (2.2 to 47.1)  12.5 % (0.5 to 47.1)            50.0 %
recovered       2 of 8 whose first attempt was rejected: 25.0 % (7.1 to 59.1)
net             unknown: not of every repair that recovered documents were some checked
repairs         8, for 3,150 tokens, 0.315 EUR
each recovered  1,575 tokens, 0.157500 EUR
a person        2.000000 EUR at 20 an hour (measured)
all calls       4,550 tokens, 0.455 EUR
each verified   569 tokens, 0.056875 EUR

Completeness of rows
compared  15 whole candidates with a printed count or a sum of rows
complete  73.3 % (48.0 to 89.1); 4 do not agree with it
cut off   2 replies, of which nothing was read
restored  1 documents got their rows back by a repair
kept out  1 ended unverified without them
verified  7 with such a rule, 1 without one

Repairs against their budget
SPEC    PRIMARY CALLS  REPAIRS   SHARE              BUDGET  CLOSEST TO IT                               REFUSED
claim              13        8  61.5 %  50.0 %, at least 1  5 of 2 allowed in 10 s to 2026-03-02 10:05        1
letter              1        0   0.0 %             unknown  -                                                 0

Wrong estimates of how long an attempt takes
attempts begun  22
too short       1 wasted: begun, and the deadline came first (700 tokens)
too long        0.3 of 1 refused attempts would have fitted, by how long such attempts took
waited away     1 deadlines passed with nothing on the wire

False passes: verified records that people checked
VERIFIED BY ATTEMPT  CHECKED  WRONG           DEFECT RATE
                  1        5      1  20.0 % (3.6 to 62.4)
                  3        1      0   0.0 % (0.0 to 79.3)
All: 1 of 6 were wrong: 16.7 % (3.0 to 56.4).
`;
