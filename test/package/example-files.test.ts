import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInExamples } from '../../tools/package/example-files.ts';

const examples = join(import.meta.dirname, '../../examples');

test('the package has the files of each example, and nothing that a person made by trying one', () => {
  const folders = readdirSync(examples);
  expect(folders.filter((folder) => !isInExamples(folder))).toEqual([]);
  for (const folder of folders) {
    const files = readdirSync(join(examples, folder)).filter((name) => isInExamples(`${folder}/${name}`));
    expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'tsconfig.json']));
  }
  for (const made of [
    'kiosk/.env',
    'kiosk/key.txt',
    'kiosk/kiosk.db',
    'kiosk/kiosk.db-wal',
    'kiosk/data',
    'kiosk/data/gemba.db',
    'kiosk/server.log',
    'recorder/node_modules',
    'recorder/node_modules/vite/index.js',
    'recorder/dist',
    'recorder/dist/index.html',
    'recorder/package-lock.json',
    'recorder/.vite',
    'recorder/.server.js',
    'erp-bridge/runs.csv',
    'erp-bridge/secrets.json',
    '.DS_Store',
    'start.log',
  ]) {
    expect([made, isInExamples(made)]).toEqual([made, false]);
  }
});
