import { scenarios } from '../src/simulator/scenarios.js';
import { simulate } from '../src/simulator/simulate.js';
import { judge, needHeap } from './medians.js';

/** A million documents in this memory, and ten times the documents in about ten times the time. */
const limits = { tenfold: 12, gigabytes: 1 };
const seed = 1;

// With the usual nursery a million documents take 11.7 times as long as a tenth of them: 1.2 s of it is the collector.
needHeap(import.meta.url);

/** Processor seconds of one simulation, so that a neighbour who interrupts does not count. */
function secondsFor(documents: number): number {
  const scenario = { ...scenarios['bad-deploy'], documents };
  const before = process.cpuUsage();
  const { documents: ended } = simulate(scenario, seed);
  const { user, system } = process.cpuUsage(before);
  if (ended !== documents) throw new Error(`${ended} of ${documents} documents were simulated.`);
  return (user + system) / 1e6;
}

secondsFor(20_000);
const smaller = secondsFor(100_000);
const larger = secondsFor(1_000_000);
console.log(`     ${smaller.toFixed(2)} s  100,000 documents`);
console.log(`     ${larger.toFixed(2)} s  1,000,000 documents`);
judge('1,000,000 / 100,000 documents, time', larger / smaller, limits.tenfold);
// Of the whole process, whatever the collector left lying about; reported in kilobytes.
const megabytes = process.resourceUsage().maxRSS / 1_024;
console.log(`     ${megabytes.toFixed(0)} MB at most`);
judge('memory / 1 GB', megabytes / 1_024, limits.gigabytes);
