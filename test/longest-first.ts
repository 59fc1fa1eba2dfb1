import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begun last, these would keep one of two workers busy while the other has nothing left. */
const longest = ['test/console/console.test.ts', 'test/docs/guides.test.ts', 'test/chaos/faults.test.ts'];

/** The longest files first, then as vitest would have it: by earlier runs, or by size on a machine without any. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
