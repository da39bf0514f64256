/**
 * `npm run mutate`: puts each deliberate fault into a copy of the code, one after the other, runs the tests that should
 * notice, and writes docs/deliberate-faults.md. `-- --only 'no receipts,poke'` runs the faults whose names contain one of the
 * texts and keeps the other rows.
 *
 * A last run without a fault shows which tests fail by themselves. These count for nothing.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { faultProblems, withFault } from './drift.ts';
import { faults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { failedTests } from './run-tests.ts';
import { catchersIn, tableDocument, type Catchers } from './table.ts';

const root = resolve(import.meta.dirname, '../..');
const documentFile = join(root, 'docs/deliberate-faults.md');
const copied = [
  'carry',
  'client',
  'server',
  'shared',
  'test',
  'tools',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'SPEC.md',
];

const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '240' } } });
const { only } = values;
const secondsMax = Number(values.seconds);
const chosen = faults.filter(({ name }) => only === undefined || only.split(',').some((part) => name.includes(part)));

const problems = faultProblems(faults, (path) => readFileSync(join(root, path), 'utf8'));
if (problems.length > 0) throw new Error(problems.join('\n'));
const folder = mkdtempSync(join(tmpdir(), 'gemba-mutate-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
cpSync(join(import.meta.dirname, 'vitest.config.ts'), join(folder, 'vitest.config.ts'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

const catchers: Catchers = catchersIn(readFileSync(documentFile, { encoding: 'utf8', flag: 'a+' }));
const failed = new Map<Fault, string[]>();
for (const [index, fault] of chosen.entries()) {
  const names = await failedWith(fault);
  console.log(
    `${index + 1}/${chosen.length} ${fault.name}: ${names.length > 0 ? idsIn(names).join(', ') : 'NOT CAUGHT'}`,
  );
  failed.set(fault, names);
}
const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
const failedClean = new Set(
  await failedTests({ folder, tests: files, pattern: undefined, secondsMax: 1800, isFirstEnough: false }),
);
for (const name of failedClean) console.log(`fails without a fault: ${name}`);
let missed = 0;
for (const [fault, names] of failed) {
  const caught = idsIn(names.filter((name) => !failedClean.has(name)));
  if (caught.length === 0) console.log(`NOT CAUGHT: ${fault.name}`);
  missed += Number(caught.length === 0);
  catchers.set(fault.name, caught);
}
writeFileSync(documentFile, await tableDocument(faults, catchers));
console.log(`${chosen.length - missed} of ${chosen.length} caught`);
process.exitCode = missed > 0 ? 1 : 0;

/** Returns the tests that fail with the fault, or the first of them. */
async function failedWith(fault: Fault): Promise<string[]> {
  const { file, tests, only: pattern } = fault;
  const source = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(folder, file), withFault(source, fault));
  try {
    return await failedTests({ folder, tests, pattern, secondsMax, isFirstEnough: true });
  } finally {
    writeFileSync(join(folder, file), source);
  }
}

/** Returns the ids that the names carry, or the name of a test without one. */
function idsIn(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => name.match(/(?<=\[)[A-Z][A-Z0-9]*-\d+(?=\])/g) ?? [name]))].toSorted();
}
