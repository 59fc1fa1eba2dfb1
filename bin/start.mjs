#!/usr/bin/env node
import { install } from './install.mjs';

// What `npm start` runs: packages first, then `endstop demo` in this same process, so that Ctrl-C, signals and the
// exit code are the demo's own.
const code = install();
if (code !== 0) process.exit(code);
process.argv.splice(2, 0, 'demo');
await import('./endstop.mjs');
