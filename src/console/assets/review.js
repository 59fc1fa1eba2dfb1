// The review screen at work: evidence follows the field, rules run at each change, drafts are kept, the lease is watched,
// and keys do everything.

import './review-commands.js';
import { form, isMine } from './review-desk.js';
import { enter, fields, focusField, isUnmet, showPlaces } from './review-fields.js';
import { showLease } from './review-lease.js';
import './review-news.js';
import { check, show } from './review-rules.js';
import { joinTwins } from './review-twins.js';
import { restoreUnsent } from './review-unsent.js';

showPlaces();
showLease();
if (isMine) {
  // The page came with what the rules say of it; of a draft on a very long document it does not wait for them.
  if (form.dataset.check !== undefined) show(JSON.parse(form.dataset.check));
  else check();
  restoreUnsent();
  joinTwins();
  // Begin where a rule objects; else at the first field.
  focusField(fields().find(isUnmet) ?? fields()[0]);
} else {
  const first = fields().find(isUnmet);
  if (first !== undefined) enter(first);
}
