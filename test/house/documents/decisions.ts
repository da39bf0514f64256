/** Compares the list in docs/decisions/README.md with the files beside it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = 'docs/decisions';
const list = `${folder}/README.md`;

export async function allDecisionProblems(root: string): Promise<string[]> {
  const files = (await readdir(join(root, folder))).filter((name) => name !== 'README.md');
  return decisionProblems(await readFile(join(root, list), 'utf8'), files);
}

/** Lists decisions that share a number, and files that the list lacks, has out of order, or has under another number. */
export function decisionProblems(text: string, files: readonly string[]): string[] {
  const rows = [...text.matchAll(/^\| \[(\d{4})\]\(([^)]+)\)/gm)].map(([, number = '', file = '']) => ({
    number,
    file,
  }));
  const sorted = files.toSorted();
  const isShared = (file: string, index: number) => sorted[index + 1]?.slice(0, 4) === file.slice(0, 4);
  return [
    ...sorted.filter(isShared).map((file) => `${folder}: another decision has the number of ${file}`),
    ...rows
      .filter(({ number, file }) => !file.startsWith(number))
      .map(({ file }) => `${list}: ${file} has another number`),
    ...sorted.filter((name) => !rows.some(({ file }) => file === name)).map((name) => `${list}: ${name} is not listed`),
    ...rows
      .filter(({ file }, index) => file < (rows[index - 1]?.file ?? ''))
      .map(({ file }) => `${list}: ${file} is out of order`),
  ];
}
