import { expect, test } from 'vitest';
import { decisionProblems } from './decisions.ts';

const rowOf = (file: string, number = file.slice(0, 4)) => `| [${number}](${file}) | Title |`;
const textOf = (...rows: string[]) => ['# Decisions', ...rows].join('\n');

test('[HOUSE-36] each decision is listed once, under its own number and in order', () => {
  const files = ['0001-a.md', '0002-b.md'];
  expect(decisionProblems(textOf(...files.map((file) => rowOf(file))), files)).toEqual([]);
  expect(decisionProblems(textOf(rowOf('0002-b.md'), rowOf('0001-a.md')), files)).toEqual([
    'docs/decisions/README.md: 0001-a.md is out of order',
  ]);
  expect(decisionProblems(textOf(rowOf('0001-a.md'), rowOf('0002-b.md', '0003')), files)).toEqual([
    'docs/decisions/README.md: 0002-b.md has another number',
  ]);
});

test('[HOUSE-36] a decision that is not listed, or has the number of another, is a problem', () => {
  const listed = textOf(rowOf('0001-a.md'), rowOf('0001-b.md'));
  expect(decisionProblems(listed, ['0001-b.md', '0001-a.md', '0002-c.md'])).toEqual([
    'docs/decisions: another decision has the number of 0001-a.md',
    'docs/decisions/README.md: 0002-c.md is not listed',
  ]);
});
