import type { Spec } from '../src/spec/index.js';
import { claim } from './claim/claim.js';
import { claimTwoDecimals } from './claim/two-decimals.js';
import { invoice } from './invoice/invoice.js';
import { invoicePlain } from './invoice/plain.js';

/** The example specs. */
const specs: readonly Spec[] = [claim, claimTwoDecimals, invoice, invoicePlain];

export default specs;
