/** Writes and reads docs/deliberate-faults.md: the table of the deliberate faults and the tests that caught them. */
import { formatted } from '../../tools/formatted.ts';
import type { Fault } from './faults/fault.ts';

/** The tests that caught each fault, by its name; empty if none did. */
export type Catchers = Map<string, string[]>;

const notCaught = 'not caught';

export async function tableDocument(faults: readonly Fault[], catchers: Catchers): Promise<string> {
  const rows = faults.flatMap(({ name, harm, file }) => {
    const caught = catchers.get(name);
    return caught ? [`| ${name} | ${harm} | [${file}](../${file}) | ${caught.join(', ') || notCaught} |`] : [];
  });
  const text = `# Deliberate faults

\`npm run mutate\` puts each of these ${rows.length} faults of [test/mutation/faults](../test/mutation/faults) into a copy of the code, one after the other, runs the tests that should notice, and writes this table. The last column has the promises of [SPEC.md](../SPEC.md) whose test was the first to fail. \`npm run check\` holds the list, the code and this table together.

| fault | what it would do | file | caught by |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  return formatted('deliberate-faults.md', text);
}

export function catchersIn(document: string): Catchers {
  const rows = document.split('\n').filter((line) => line.startsWith('| ') && line.includes(']('));
  return new Map(
    rows.map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      const caught = cells.at(-2) ?? '';
      return [cells[1] ?? '', caught === notCaught ? [] : caught.split(', ')];
    }),
  );
}
