/** Checks that each deliberate fault still fits the code, so that the list does not rot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { catchersIn } from './table.ts';

/** Lists the faults whose text does not stand exactly once in its file, and what stands twice in the list. */
export function faultProblems(list: readonly Fault[], read: (path: string) => string): string[] {
  const names = list.map(({ name }) => name);
  return [
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `${name}: stands twice in the list`),
    ...list.flatMap(({ name, file, find, replace }) => {
      const count = read(file).split(find).length - 1;
      if (count !== 1) return [`${name}: its text stands ${count} times in ${file}`];
      return find === replace ? [`${name}: changes nothing`] : [];
    }),
  ];
}

/** Lists the faults that no test has caught, and the rows of the table without a fault. */
export function tableProblems(list: readonly Fault[], document: string): string[] {
  const catchers = catchersIn(document);
  const names = new Set(list.map(({ name }) => name));
  return [
    ...[...names]
      .filter((name) => !catchers.get(name)?.length)
      .map((name) => `${name}: npm run mutate has no test for it`),
    ...[...catchers.keys()].filter((name) => !names.has(name)).map((name) => `${name}: is in the table alone`),
  ];
}

export function allFaultProblems(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return [...faultProblems(faults, read), ...tableProblems(faults, read('docs/deliberate-faults.md'))];
}

/** Returns the source with the fault in it. */
export function withFault(source: string, { find, replace }: Pick<Fault, 'find' | 'replace'>): string {
  const [before = '', after = ''] = source.split(find);
  return before + replace + after;
}
