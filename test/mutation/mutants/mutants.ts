/**
 * `npm run mutants [-- --mutate 'shared/domain/study/*.ts']`: Stryker changes operators, conditions and constants of
 * shared/domain and of the pure parts of the outbox, one by one, and finds the changes that no unit test notices. The files
 * that were run are counted in scores.json and docs/mutants.md, and the others stay there as they were. `--survivors` runs
 * what was not noticed before, and `--page` writes the page alone, such as after a change of equivalent.ts.
 *
 * Its packages have a folder of their own, since the product needs none of them. Stryker reads tsconfig.json by an API that
 * TypeScript 7 no longer has, so that it is told of none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { formatted } from '../../../tools/formatted.ts';
import { installPackages } from '../../bench/peers/install.ts';
import {
  linesOfSurvivors,
  scoresDocument,
  scoresIn,
  withFilesWithoutChanges,
  withNoticed,
  type Report,
  type Scores,
} from './scores.ts';

const folder = import.meta.dirname;
const root = resolve(folder, '../../..');
const reportFile = join(folder, 'node_modules/report.json');
const scoresFile = join(folder, 'scores.json');

const known = JSON.parse(readFileSync(scoresFile, 'utf8')) as Scores;
const [first, ...others] = process.argv.slice(2);
if (first === '--page') await writeScores(known);
else if (first === '--survivors') {
  const lines = linesOfSurvivors(chosen(others)).join();
  await writeScores(lines === '' ? known : withNoticed(known, scoresOfRun(['--mutate', lines])));
} else await writeScores({ ...known, ...scoresOfRun(process.argv.slice(2)) });

/** Runs Stryker with these options; a run that fails has no scores. */
function scoresOfRun(options: readonly string[]): Scores {
  installPackages(folder);
  rmSync(reportFile, { force: true });
  const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const config = relative(root, join(folder, 'stryker.config.json'));
  const { status } = spawnSync(process.execPath, [program, 'run', config, ...options], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (!existsSync(reportFile)) return {};
  const found = scoresIn(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
  const at = options.indexOf('--mutate');
  const patterns = at < 0 ? undefined : options[at + 1]?.split(',');
  return withFilesWithoutChanges(
    found,
    mutatedFiles().filter((file) => patterns === undefined || patterns.includes(file)),
  );
}

/** Returns the scores of the files whose paths contain one of the texts, or of all. */
function chosen(parts: readonly string[]): Scores {
  const isChosen = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part));
  return Object.fromEntries(Object.entries(known).filter(([file]) => isChosen(file)));
}

async function writeScores(all: Scores): Promise<void> {
  const files = mutatedFiles();
  const scores = Object.fromEntries(files.flatMap((file) => (all[file] ? [[file, all[file]]] : [])));
  writeFileSync(scoresFile, await formatted('scores.json', JSON.stringify(scores)));
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
