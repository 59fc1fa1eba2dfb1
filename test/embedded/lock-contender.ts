import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { markProcess } from '../../src/embedded/process-identity.js';
import { releaseLock, takeLock } from '../../src/embedded/stack-lock.js';

// Takes the lock again and again and writes down when it holds it; `die` leaves it held, as a killed process does.
const [home = '', journal = '', rounds = '', ending = ''] = process.argv.slice(2);
const self = markProcess(process.pid);
if (self === undefined) throw new Error('this process has no mark');
for (let taken = 0; taken < Number(rounds); ) {
  if (takeLock(home, self) !== true) {
    await pause(1);
    continue;
  }
  taken += 1;
  appendFileSync(journal, `in ${process.pid}\n`);
  await pause(2);
  appendFileSync(journal, `out ${process.pid}\n`);
  if (ending === 'die' && taken === Number(rounds)) process.kill(process.pid, 'SIGKILL');
  releaseLock(home, self);
  await pause(1);
}
