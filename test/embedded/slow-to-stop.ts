import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { stopSignal } from '../../src/embedded/stop-signal.js';

const signal = stopSignal();
const stayAwake = setInterval(() => undefined, 1_000);
process.stdout.write('up\n');
await once(signal, 'abort');
process.stdout.write(`stopping for ${String(signal.reason)}\n`);
await pause(Number(process.argv[2]));
process.stdout.write('stopped\n');
clearInterval(stayAwake);
