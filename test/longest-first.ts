import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begun last, these would keep one worker busy while the others have nothing left. In this order those that mostly wait
 * run beside the one that kills servers, and those that mostly compute come after it.
 */
const longest = [
  'test/chaos/faults.test.ts',
  'test/embedded/stack.test.ts',
  'test/serverless/serverless.test.ts',
  'test/workflows/batch-budget.test.ts',
  'test/docs/guides.test.ts',
  'test/console/console.test.ts',
];

/** The longest files first, then as vitest would have it: by earlier runs, or by size on a machine without any. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = longest.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(path)));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}
