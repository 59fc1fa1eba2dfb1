import type { Migration } from 'kysely';
import { foundation } from './0001-foundation.js';
import { webhooks } from './0002-webhooks.js';
import { reviewDesk } from './0003-review-desk.js';
import { redrives } from './0004-redrives.js';
import { retention } from './0005-retention.js';
import { letterGroups } from './0006-letter-groups.js';
import { batches } from './0007-batches.js';
import { capacity } from './0008-capacity.js';
import { api } from './0009-api.js';
import { audits } from './0010-audits.js';
import { consolePages } from './0011-console.js';
import { schemaFloor } from './0012-schema-floor.js';
import { objectStorage } from './0013-object-storage.js';
import { evaluations } from './0016-evaluations.js';
import { consoleFigures } from './0017-console-figures.js';
import { metricsRole } from './0018-metrics-role.js';
import { hourFolds } from './0019-hour-folds.js';
import { fileNames } from './0020-file-names.js';
import { dayFolds } from './0021-day-folds.js';

/** Every migration by name, in the order of the names. One that was released is never edited: add the next. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-webhooks': webhooks,
  '0003-review-desk': reviewDesk,
  '0004-redrives': redrives,
  '0005-retention': retention,
  '0006-letter-groups': letterGroups,
  '0007-batches': batches,
  '0008-capacity': capacity,
  '0009-api': api,
  '0010-audits': audits,
  '0011-console': consolePages,
  '0012-schema-floor': schemaFloor,
  '0013-object-storage': objectStorage,
  '0016-evaluations': evaluations,
  '0017-console-figures': consoleFigures,
  '0018-metrics-role': metricsRole,
  '0019-hour-folds': hourFolds,
  '0020-file-names': fileNames,
  '0021-day-folds': dayFolds,
};
