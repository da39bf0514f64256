/** Reads what Stryker found, file by file, and writes docs/mutants.md. */
import { formatted } from '../../../tools/formatted.ts';
import { equivalentMutants, type EquivalentMutant } from './equivalent.ts';

export interface Survivor {
  /** The first and the last line. */
  lines: [number, number];
  /** The column of the first line. */
  column: number;
  from: string;
  to: string;
}

export interface Score {
  /** The changes that were run. */
  changes: number;
  noticed: number;
  /** Changes of what is computed while a file is loaded, which Stryker leaves out. */
  leftOut: number;
  survivors: Survivor[];
}

/** The scores of the files by their paths. */
export type Scores = Record<string, Score>;

interface Position {
  line: number;
  column: number;
}

/** The part of Stryker's report (mutation-testing-report-schema 2) that is read. */
export interface Report {
  files: Record<
    string,
    {
      source: string;
      mutants: { status: string; replacement?: string; location: { start: Position; end: Position } }[];
    }
  >;
}

export function scoresIn({ files }: Report): Scores {
  return Object.fromEntries(
    Object.entries(files).map(([file, { source, mutants }]) => {
      const leftOut = mutants.filter(({ status }) => status === 'Ignored').length;
      const isSurvivor = ({ status }: { status: string }) => status === 'Survived' || status === 'NoCoverage';
      const survivors = mutants.filter(isSurvivor).map(({ location, replacement = '' }) => ({
        lines: [location.start.line, location.end.line] satisfies [number, number],
        column: location.start.column,
        from: oneLine(textAt(source, location)),
        to: oneLine(replacement),
      }));
      const changes = mutants.length - leftOut;
      return [file, { changes, noticed: changes - survivors.length, leftOut, survivors }];
    }),
  );
}

/** Adds the files of a run that have nothing to change, such as types alone, since the report leaves them out. */
export const withFilesWithoutChanges = (found: Scores, files: readonly string[]): Scores => ({
  ...Object.fromEntries(files.map((file) => [file, { changes: 0, noticed: 0, leftOut: 0, survivors: [] }])),
  ...found,
});

/** Counts the survivors that a run of their lines has noticed; what that run says of other changes is known. */
export function withNoticed(known: Scores, found: Scores): Scores {
  const isSame = (a: Survivor, b: Survivor) => JSON.stringify(a) === JSON.stringify(b);
  return Object.fromEntries(
    Object.entries(known).map(([file, score]) => {
      const again = found[file];
      if (!again) return [file, score];
      // A run of the survivors leaves out those with a reason.
      const isLeft = (one: Survivor) =>
        equivalentOf(file, one) !== undefined || again.survivors.some((other) => isSame(one, other));
      const survivors = score.survivors.filter(isLeft);
      return [file, { ...score, noticed: score.changes - survivors.length, survivors }];
    }),
  );
}

/** Returns the lines of all survivors that nobody has explained, as Stryker's option wants them. */
export const linesOfSurvivors = (scores: Scores): string[] =>
  Object.entries(scores).flatMap(([file, { survivors }]) =>
    survivors
      .filter((survivor) => !equivalentOf(file, survivor))
      .map(({ lines: [first, last] }) => `${file}:${first}-${last}`),
  );

function textAt(source: string, { start, end }: { start: Position; end: Position }): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export const equivalentOf = (file: string, { from, to }: Survivor): EquivalentMutant | undefined =>
  equivalentMutants.find((one) => one.file === file && one.from === from && (one.to === to || one.to === '*'));

/** Lists the equivalent changes whose text is gone from the code. */
export const goneMutants = (read: (path: string) => string): string[] =>
  equivalentMutants
    .filter(({ file, from }) => !oneLine(read(file)).includes(from))
    .map(({ file, from }) => `${file} has no ${from}`);

/** `files` are all that the configuration names, so that the page says which were not run. */
export async function scoresDocument(scores: Scores, files: readonly string[]): Promise<string> {
  const ran = files.filter((file) => scores[file]);
  const rows = ran.map((file) => {
    const { changes, noticed, leftOut, survivors } = scores[file]!;
    const explained = survivors.filter((survivor) => equivalentOf(file, survivor)).length;
    const percent = changes === 0 ? '' : `${((noticed / changes) * 100).toFixed(1)} %`;
    return `| [${file}](../${file}) | ${changes} | ${percent} | ${explained} | ${survivors.length - explained} | ${leftOut} |`;
  });
  const sum = (count: (score: Score) => number) => ran.reduce((total, file) => total + count(scores[file]!), 0);
  const [changes, noticed, leftOut] = [sum((one) => one.changes), sum((one) => one.noticed), sum((one) => one.leftOut)];
  const open = ran.flatMap((file) =>
    scores[file]!.survivors.filter((survivor) => !equivalentOf(file, survivor)).map(
      ({ lines, from, to }) => `- [${file}](../${file}), line ${lines[0]}: ${code(from)} → ${code(to)}`,
    ),
  );
  const notRun = files.filter((file) => !scores[file]);
  const text = `# Changes that the unit tests notice

\`npm run mutants\` lets Stryker change [shared/domain](../shared/domain) and the pure parts of the outbox one change at a time, runs the unit tests that reach the change, and writes this page from [scores.json](../test/mutation/mutants/scores.json). Of ${changes} changes in ${ran.length} of ${files.length} files the tests noticed ${noticed}${changes === 0 ? '' : ` (${((noticed / changes) * 100).toFixed(1)} %)`}. A file's row is as old as its last run. ${leftOut} changes of tables and constants that a file computes while it is loaded were left out, since each would need a process of its own.

| file | changes | noticed | the same | not noticed | left out |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${notRun.length === 0 ? 'All files were run.' : `Not run: ${notRun.map((file) => `[${file}](../${file})`).join(', ')}.`}

## Changes that change nothing

The code does the same with these ([equivalent.ts](../test/mutation/mutants/equivalent.ts)).

${equivalentMutants.map(({ file, from, to, why }) => `- [${file}](../${file}): ${code(from)} → ${to === '*' ? 'anything' : code(to)}. ${why}`).join('\n') || 'None was named.'}

## Changes that no unit test notices

${open.join('\n') || 'None.'}
`;
  return formatted('mutants.md', text);
}

const codeCharsMax = 120;

function code(text: string): string {
  const shown = text.length > codeCharsMax ? `${text.slice(0, codeCharsMax)} …` : text;
  const quotes = shown.includes('`') ? '`` ' : '`';
  return shown === '' ? 'nothing' : quotes + shown + [...quotes].toReversed().join('');
}
