import { expect, test } from 'vitest';
import { folderProblems } from './folders.ts';

test('[HOUSE-28] a folder holds 20 files, not counting those of the folders in it, and not 21', () => {
  const paths = Array.from({ length: 20 }, (_, index) => `server/full/file-${index}.ts`);
  expect(folderProblems([...paths, 'server/full/inner/file.ts'])).toEqual([]);
  expect(folderProblems([...paths, 'server/full/file.css'])).toEqual(['server/full: has 21 files, more than 20']);
});
