import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const rootFolder = join(import.meta.dirname, '../../..');
const lateImports = (file: string): string[] =>
  [...readFileSync(join(rootFolder, file), 'utf8').matchAll(/(?<!typeof )import\(\s*'(\.[^']+)'/g)].map(([, path]) =>
    normalize(join(file, '..', path!)),
  );

test('[SIM-44] a history loads no module of the engine in its course', () => {
  const files = readdirSync(join(rootFolder, 'client'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !/^(?:app|devtools)\//.test(file));
  // A history has row stores of its own.
  const unused = ['client/storage/dexie-row-store.ts'];
  const late = new Set(
    sources.flatMap((file) => lateImports(`client/${file}`)).filter((path) => !unused.includes(path)),
  );
  expect(lateImports('test/simulation/platform/late-modules.ts')).toEqual([...late].toSorted());
});
