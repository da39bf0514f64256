import type { Spread } from './measure.ts';

export interface FigureTable {
  title: string;
  /** The comparison in a sentence or two. */
  about: string;
  head: string[];
  rows: string[][];
}

export function printTable({ title, about, head, rows }: FigureTable): void {
  const cells = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ');
  console.log(`\n## ${title}\n\n${about}\n\n${cells.map(line).join('\n')}`);
}

/** `median (min..max)`: the spread is the machine's noise. */
export function spreadText({ median, min, max }: Spread, unit = ''): string {
  return `${rounded(median)}${unit} (${rounded(min)}..${rounded(max)})`;
}

function rounded(number: number): string {
  if (number >= 100) return number.toFixed(0);
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}
