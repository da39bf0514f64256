import { expect, test } from 'vitest';
import { longFirst } from './long-first.ts';

test('[HOUSE-9] test files with a process of their own come first, then the long ones, then the others as vitest orders them', () => {
  const shared = [
    'shared/b.test.ts',
    'test/browser/app/map.test.ts',
    'test/new/a.test.ts',
    'test/browser/engine/browser-killed.test.ts',
  ];
  const files = shared.map((path) => ({ path: `/work/${path}`, isAlone: false }));
  const alone = { path: '/work/test/engine/dev-mode.test.ts', isAlone: true };
  const [last, middle, lastToo, first] = files;
  expect(longFirst([...files, alone], (file) => file)).toEqual([alone, first, middle, last, lastToo]);
});
