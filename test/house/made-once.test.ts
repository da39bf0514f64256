import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeOnce } from '../made-once.ts';

test('[HOUSE-10] what a test run makes is made once, however many ask for it at the same time and later', async () => {
  const name = randomUUID();
  let made = 0;
  const make = async (folder: string) => {
    made++;
    await mkdir(join(folder, 'deep'));
    await writeFile(join(folder, 'deep/file'), 'whole');
  };
  const folders = await Promise.all([1, 2, 3].map(() => makeOnce(name, make)));
  folders.push(await makeOnce(name, make));
  expect(made).toBe(1);
  expect(new Set(folders).size).toBe(1);
  expect(await readFile(join(folders[0]!, 'deep/file'), 'utf8')).toBe('whole');
});

test('[HOUSE-23] and each that asked hears why it could not be made', async () => {
  const name = randomUUID();
  const fail = () => Promise.reject(new Error('no room'));
  const asked = await Promise.allSettled([1, 2].map(() => makeOnce(name, fail)));
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(makeOnce(name, fail)).rejects.toThrow('no room');
});
