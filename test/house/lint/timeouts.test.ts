import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
/** A timeout as an option, or as the last argument of a test. */
const ownTimeout = /\btimeout: *\d|^ {2}[\d_]+(?: \* [\d_]+)*,\n\);|^\}, [\d_]+(?: \* [\d_]+)*\);/m;

test('[HOUSE-15] no test has a bound of time of its own', () => {
  const files = ['client', 'server', 'shared', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?:\.test|-contract)\.tsx?$/.test(path))
      .map((path) => join(folder, path))
      .filter((path) => !import.meta.filename.endsWith(path)),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => ownTimeout.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test.each([
  'expect.poll(read, { timeout: 10_000 })',
  'test(\n  "one",\n  async () => {},\n  5 * 60_000,\n);',
  'test("one", async () => {\n}, 30_000);',
])('[HOUSE-15] such a bound is noticed: %j', (text) => expect(text).toMatch(ownTimeout));
