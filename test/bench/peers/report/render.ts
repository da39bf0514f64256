/** Makes the report, its pictures and the README's figures from the measured figures. Nothing else states them. */
import { formatted } from '../../../../tools/formatted.ts';
import type { Benchmarks, Figure, Part, Work } from './figures.ts';
import { goalRows } from './goals.ts';
import { rulesOfTheGame, sides } from './fairness.ts';
import { figureText } from './number.ts';
import { pictureOf } from './picture.ts';

export const reportFile = 'docs/benchmarks.md';
export const readmeMarks = ['<!-- benchmarks: made by `npm run bench -- peers` -->', '<!-- /benchmarks -->'] as const;

/** Returns the files by their paths from the root. */
export async function renderReport(benchmarks: Benchmarks): Promise<Map<string, string>> {
  const works = Object.values(benchmarks.parts).flatMap((part) => part.works);
  const files = new Map(works.map((work) => [`docs/${pictureFile(work)}`, pictureOf(work)]));
  return files.set(reportFile, await formatted('benchmarks.md', reportText(benchmarks)));
}

/** Returns the README with its figures replaced. */
export async function renderReadme(readme: string, benchmarks: Benchmarks): Promise<string> {
  const [begin, end] = readmeMarks.map((mark) => readme.indexOf(mark)) as [number, number];
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the figures');
  const block = await formatted('README.md', readmeBlock(benchmarks));
  return `${readme.slice(0, begin)}${readmeMarks[0]}\n\n${block}\n${readme.slice(end)}`;
}

const pictureFile = ({ id }: Work): string => `pictures/benchmark-${id}.svg`;

function reportText({ versions, parts }: Benchmarks): string {
  return `# Benchmarks

\`npm run bench -- peers\` measured this and wrote this file, its pictures and [benchmarks.json](benchmarks.json), which has the same figures for machines. [Decision 0048](decisions/0048-compared-with-peers.md) says how and why.

## How it is compared

${rulesOfTheGame.map((rule) => `- ${rule}`).join('\n')}

## What each side does

| | version | device | server | does not do |
| --- | --- | --- | --- | --- |
${sides.map((side) => `| ${side.name} | ${versionText(side.packages, versions)} | ${side.device} | ${side.server} | ${side.lacks} |`).join('\n')}

${goalsText({ versions, parts })}
${Object.values(parts).map(partText).join('\n')}`;
}

function goalsText(benchmarks: Benchmarks): string {
  const rows = goalRows(benchmarks);
  if (rows.length === 0) return '';
  return `## Goals

The goals were set on another machine, so the ratios to the peers below say more than the absolute figures.

| | goal | measured | | what stands in the way |
| --- | ---: | ---: | --- | --- |
${rows.join('\n')}
`;
}

const versionText = (packages: string[], versions: Record<string, string>): string =>
  packages.length === 0 ? 'this revision' : packages.map((name) => `${name} ${versions[name] ?? '?'}`).join(', ');

function partText({ origin, works }: Part): string {
  return works
    .map(
      (work) => `## ${work.title}

${work.about}

![${work.title}](${pictureFile(work)})

| | ${work.unit} | range | to Gemba | on the server | |
| --- | ---: | ---: | ---: | --- | --- |
${work.figures.map(figureRow).join('\n')}

${work.rounds} round${work.rounds === 1 ? '' : 's'}, ${origin.date}, revision ${origin.revision}, Node ${origin.node}, ${origin.cpus} CPUs.
`,
    )
    .join('\n');
}

function figureRow({ name, median, min, max, toGemba, durability, detail }: Figure): string {
  const ratio = toGemba
    ? `${figureText(toGemba.median)} (${figureText(toGemba.min)} to ${figureText(toGemba.max)})`
    : '';
  return `| ${name} | ${figureText(median)} | ${figureText(min)} to ${figureText(max)} | ${ratio} | ${durability} | ${detail ?? ''} |`;
}

function readmeBlock({ parts }: Benchmarks): string {
  const works = Object.values(parts).flatMap((part) => part.works);
  return `| | Gemba | best peer | limit |
| --- | ---: | ---: | ---: |
${works.map(readmeRow).join('\n')}
`;
}

function readmeRow(work: Work): string {
  const best = (role: Figure['role']): string => {
    const own = work.figures.filter((figure) => figure.role === role);
    const [first] = own.toSorted((a, b) => (work.better === 'lower' ? a.median - b.median : b.median - a.median));
    if (!first) return '';
    const shown = `${figureText(first.median)} ${work.unit}`;
    return role === 'gemba' ? shown : `${shown} (${first.name})`;
  };
  return `| ${work.title} | ${best('gemba')} | ${best('peer')} | ${best('limit')} |`;
}
