import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPorts, type StackPorts } from './ports.js';

/** What a stack of `home` got in place of default ports, so that beside another one it is found where it was. */
export function readEarlierPorts(home: string): Partial<StackPorts> {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(home), 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Default ports are not kept: a start alone forgets nothing. */
export function keepPorts(home: string, ports: StackPorts): void {
  const names = Object.keys(defaultPorts) as (keyof StackPorts)[];
  const moved = names.filter((name) => ports[name] !== defaultPorts[name]).map((name) => [name, ports[name]]);
  const kept = { ...readEarlierPorts(home), ...Object.fromEntries(moved) };
  writeFileSync(pathOf(home), `${JSON.stringify(kept)}\n`);
}

function pathOf(home: string): string {
  return join(home, 'ports.json');
}
