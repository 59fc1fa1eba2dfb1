import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackPorts } from './ports.js';

/** The ports of the last start in `home`, so that a stack beside another one is found where it was; empty: unknown. */
export function readEarlierPorts(home: string): Partial<StackPorts> {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(home), 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function keepPorts(home: string, ports: StackPorts): void {
  writeFileSync(pathOf(home), `${JSON.stringify(ports)}\n`);
}

function pathOf(home: string): string {
  return join(home, 'ports.json');
}
