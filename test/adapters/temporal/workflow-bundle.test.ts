import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prebuildWorkflows, workflowBundle } from '../../../src/adapters/temporal/workflow-bundle.js';

const folder = mkdtempSync(join(tmpdir(), 'endstop-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a bundle that was built before', () => {
  it('is used while it is of this very code, and not when it is of another', async () => {
    expect(await prebuildWorkflows(folder)).toBeGreaterThan(100_000);
    expect(await workflowBundle(folder)).toEqual({ codePath: join(folder, 'workflows.bundle.js') });
    appendFileSync(join(folder, 'workflows.bundle.sha256'), 'another');
    expect(await workflowBundle(folder)).toHaveProperty('code');
  });
});
