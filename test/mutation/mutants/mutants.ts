/**
 * `npm run mutants [-- --mutate 'shared/domain/study/*.ts']`: Stryker changes operators, conditions and constants of
 * shared/domain and of the pure parts of the outbox, one by one, and finds the changes that no unit test notices. The files
 * that were run are counted in scores.json and docs/mutants.md, and the others stay there as they were.
 *
 * Its packages have a folder of their own, since the product needs none of them. Stryker reads tsconfig.json by an API that
 * TypeScript 7 no longer has, so that it is told of none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { installPackages } from '../../bench/peers/install.ts';
import { scoresDocument, scoresIn, type Report, type Scores } from './scores.ts';

const folder = import.meta.dirname;
const root = resolve(folder, '../../..');
const reportFile = join(folder, 'node_modules/report.json');
const scoresFile = join(folder, 'scores.json');

installPackages(folder);
rmSync(reportFile, { force: true });
const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = relative(root, join(folder, 'stryker.config.json'));
const { status } = spawnSync(process.execPath, [program, 'run', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
if (existsSync(reportFile)) await writeScores(scoresIn(JSON.parse(readFileSync(reportFile, 'utf8')) as Report));

async function writeScores(found: Scores): Promise<void> {
  const known = JSON.parse(readFileSync(scoresFile, 'utf8')) as Scores;
  const files = mutatedFiles();
  const all = { ...known, ...found };
  const scores = Object.fromEntries(files.flatMap((file) => (all[file] ? [[file, all[file]]] : [])));
  writeFileSync(scoresFile, `${JSON.stringify(scores, null, 2)}\n`);
  writeFileSync(join(root, 'docs/mutants.md'), await scoresDocument(scores, files));
}

/** Lists the files of the configuration, whose patterns are folders with all files in them. */
function mutatedFiles(): string[] {
  const { mutate } = JSON.parse(readFileSync(join(folder, 'stryker.config.json'), 'utf8')) as { mutate: string[] };
  const folders = mutate
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => pattern.replace('/**/*.ts', ''));
  return folders
    .flatMap((one) =>
      readdirSync(join(root, one), { recursive: true, encoding: 'utf8' }).map((file) => join(one, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted();
}
