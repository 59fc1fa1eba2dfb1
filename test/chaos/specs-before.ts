import { claimV7 } from './specs.js';

/** What a process that was not deployed anew yet knows. */
export default [claimV7];
