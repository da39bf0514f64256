/** Orders the test files: the long ones first, so that all workers end together. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of paths, from the slowest test on. A file that is not listed comes after these. */
const slowPaths = [
  'test/browser/engine/browser-killed.test.ts',
  'test/simulation/',
  'test/house/documents/fences.test.ts',
  'test/browser/app/',
  'test/scenario/operations/server-killed.test.ts',
  'test/scenario/operations/failover.test.ts',
  'test/contract/',
  'test/scenario/operations/',
  'test/demo/',
  'test/browser/',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of the base class, not that of an array
    const sorted = await super.sort(files);
    return longFirst(sorted, ({ moduleId, project }) => ({ path: moduleId, isAlone: project.config.isolate }));
  }
}

interface TestFile {
  path: string;
  /** The file has a process of its own. */
  isAlone: boolean;
}

/** Files of one place keep vitest's order: by their last duration, else by size. */
export function longFirst<File>(files: File[], read: (file: File) => TestFile): File[] {
  return files.toSorted((a, b) => placeOf(read(a)) - placeOf(read(b)));
}

function placeOf({ path, isAlone }: TestFile): number {
  // A file with its own process would end a process that files before it share, so it comes first.
  if (isAlone) return -1;
  const place = slowPaths.findIndex((part) => path.includes(`/${part}`));
  return place < 0 ? slowPaths.length : place;
}
