import { stopLeftovers } from './leftovers.js';
import { readStackFile, removeStackFile } from './stack-file.js';

// Run as a process of its own beside the supervisor: it waits until its input closes, which the system does when the
// supervisor is gone, however it went. If the supervisor did not stop its stack by then, the guard does.
const [home = '', pid = '', identity = ''] = process.argv.slice(2);
for await (const _ of process.stdin);
const stack = readStackFile(home);
if (stack?.supervisor.pid === Number(pid) && stack.supervisor.identity === identity) {
  await stopLeftovers(stack.processes);
  removeStackFile(home);
}
