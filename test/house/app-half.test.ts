import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { appHalves, appTestFiles, filesLeftOut, halfOf } from './app-half.ts';

test('[HOUSE-37] each test file of the app is in one half, and those that all build on are in both', () => {
  const files = appTestFiles(resolve(import.meta.dirname, '../..'));
  const [ofSecond, ofFirst] = appHalves.map((half) => filesLeftOut(files, half));
  const inBoth = files.filter((file) => !ofFirst!.includes(file) && !ofSecond!.includes(file));
  expect(ofFirst!.filter((file) => ofSecond!.includes(file))).toEqual([]);
  expect(inBoth.map((file) => file.split('/').at(-1)).toSorted()).toEqual([
    'desk.test.ts',
    'phone.test.ts',
    'record-and-sync.test.ts',
    'size-of-the-build.test.ts',
    'watch.test.ts',
  ]);
  expect(Math.abs(ofFirst!.length - ofSecond!.length)).toBeLessThan(2);
  expect(ofFirst!.length).toBeGreaterThan(25);
});

test('[HOUSE-37] the last digit of a commit decides between the halves', () => {
  expect(['a4e0', 'a4ef', '1', '2'].map(halfOf)).toEqual(['first', 'second', 'second', 'first']);
});
