// The queue: a key takes the first free review.

import { onCommands } from './keys.js';

onCommands({ take: () => document.getElementById('take-first')?.click() });
