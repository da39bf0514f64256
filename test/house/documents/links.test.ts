import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deadLinks } from './links.ts';

test('[HOUSE-5] every relative link of the documents leads to a file, a heading or a line that exists', () => {
  expect(deadLinks(resolve(import.meta.dirname, '../../..'))).toEqual([]);
});

test('[HOUSE-5] the check finds the links that lead nowhere, and only those', async () => {
  const root = await mkdtemp(join(tmpdir(), 'gemba-links-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'docs/decisions'), { recursive: true });
  await writeFile(join(root, 'tap.ts'), 'one\ntwo\n');
  await writeFile(
    join(root, 'docs/decisions/0001.md'),
    '# The way of a tap\n## Why?\n## Why?\n[up](../../tap.ts) [gone](tap.ts)\n',
  );
  await writeFile(
    join(root, 'README.md'),
    [
      '[a](tap.ts) [b](./docs/decisions/0001.md#the-way-of-a-tap) [c](docs/decisions/0001.md#why-1) [d](tap.ts#L2)',
      '[e](https://example.org/none) [f](#here) `[g](none.ts)`',
      '# Here',
      '```ts\n[h](none.ts)\n```',
      '[i](none.ts) [j](docs/decisions/0001.md#why-2) [k](tap.ts#L3) [l](#there)',
      '[m]: none.md',
    ].join('\n'),
  );

  expect(deadLinks(root)).toEqual([
    'README.md: none.ts',
    'README.md: docs/decisions/0001.md#why-2',
    'README.md: tap.ts#L3',
    'README.md: #there',
    'README.md: none.md',
    'docs/decisions/0001.md: tap.ts',
  ]);
});
