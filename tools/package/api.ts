/**
 * `npm run api` writes the public types of the package into `api`, where a change of them shows. `--check` fails if they
 * differ from what is there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { typesFile } from './api-files.ts';
import { publicTypes } from './types.ts';

const isCheck = process.argv.includes('--check');
for (const [entry, text] of Object.entries(await publicTypes())) {
  const file = typesFile(entry);
  const previous = readIfThere(file);
  if (previous === text) continue;
  if (isCheck) {
    console.error(`${file} is not what the sources say: run npm run api, and name the change in CHANGELOG.md`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
