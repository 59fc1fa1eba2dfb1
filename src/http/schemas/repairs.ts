import { z } from '@hono/zod-openapi';
import { Instant, listOf, orNull } from './common.js';

const PausedBy = z
  .object({
    scope: z.enum(['all', 'spec']),
    actor: z.string(),
    reason: z.string().nullable(),
    since: Instant,
  })
  .openapi('RepairsPaused');

const RepairStanding = z
  .object({
    spec: z.string(),
    share: z.number().openapi({ description: 'Repairs per primary call that the budget allows.' }),
    floor: z
      .number()
      .openapi({ description: 'Repairs that are allowed however few primary calls there are.' }),
    windowMs: z.number().openapi({ description: 'Length of the sliding window all counts are of.' }),
    primaries: z.number().int(),
    granted: z.number().int(),
    deniedByBudget: z.number().int(),
    deniedByPause: z.number().int(),
    allowed: z.number().int(),
    usedShare: z.number().nullable().openapi({ description: 'Granted per primary call; null without any.' }),
    paused: orNull(PausedBy),
  })
  .openapi('RepairStanding');

export const RepairStandings = z.object({ items: listOf(RepairStanding) }).openapi('RepairStandings');

export const RepairSwitch = z
  .strictObject({
    spec: z.string().nullable().default(null).openapi({ description: 'Null: of all specs.' }),
    reason: z.string().nullable().default(null),
    actor: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: 'Who does it; default: the name of the key.' }),
  })
  .openapi('RepairSwitch');
