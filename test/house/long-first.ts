/** The order of the test files: the long ones first, so that all workers come to their end together. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest; a new file needs no place here. */
const long = [
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
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's, but vitest's
    const sorted = await super.sort(files);
    return longFirst(sorted, ({ moduleId, project }) => ({ path: moduleId, isAlone: project.config.isolate }));
  }
}

interface TestFile {
  path: string;
  /** It has a process of its own. */
  isAlone: boolean;
}

/** Files of one place stay in the order given: vitest's, by how long each took the last time, else by size. */
export function longFirst<File>(files: File[], read: (file: File) => TestFile): File[] {
  return files.toSorted((a, b) => placeOf(read(a)) - placeOf(read(b)));
}

function placeOf({ path, isAlone }: TestFile): number {
  // It would end a process that the files before it share.
  if (isAlone) return -1;
  const place = long.findIndex((part) => path.includes(`/${part}`));
  return place < 0 ? long.length : place;
}
