/** The goals of the project's figures, and the table that says which of them a run met. */
import type { Benchmarks, Figure, Work } from './figures.ts';
import { figureText } from './number.ts';

interface Goal {
  work: Work['id'];
  figure: Figure['name'];
  /** In the unit of the work: the most, or where more is better the least. */
  bound: number;
  /** The largest cost that profiles showed where the goal is missed. */
  obstacle?: string;
}

const goals: Goal[] = [
  { work: 'drain', figure: 'Gemba', bound: 90 },
  { work: 'drain-postgres', figure: 'Gemba on PostgreSQL', bound: 130 },
  { work: 'drain-far', figure: 'Gemba', bound: 400 },
  { work: 'first-sync', figure: 'Gemba', bound: 280 },
  { work: 'first-sync-chromium', figure: 'Gemba', bound: 1_300 },
  { work: 'first-sync-slow', figure: 'Gemba', bound: 900 },
  { work: 'bytes-1', figure: 'Gemba', bound: 1 },
  { work: 'bytes-100', figure: 'Gemba', bound: 15 },
  { work: 'first-sync-bytes', figure: 'Gemba', bound: 1_500 },
  { work: 'reads', figure: 'Gemba, a log line a request', bound: 4_000 },
  { work: 'pushes', figure: 'Gemba', bound: 4_880 },
  { work: 'pushes', figure: 'Gemba on PostgreSQL', bound: 4_880 },
  { work: 'starts', figure: 'npm start', bound: 1_000 },
  { work: 'streams', figure: 'Gemba', bound: 10 },
];

/** Returns the rows of a Markdown table: work, goal, measured, how much of the goal it is, obstacle. */
export function goalRows({ parts }: Benchmarks): string[] {
  const works = Object.values(parts).flatMap((part) => part.works);
  return goals.flatMap((goal) => {
    const work = works.find(({ id }) => id === goal.work);
    const figure = work?.figures.find(({ name }) => name === goal.figure);
    return work && figure ? [goalRow(goal, work, figure)] : [];
  });
}

function goalRow({ bound, obstacle }: Goal, work: Work, { name, median, min, max }: Figure): string {
  const isMet = work.better === 'lower' ? median <= bound : median >= bound;
  const sign = work.better === 'lower' ? '≤' : '≥';
  const measured = `${figureText(median)} (${figureText(min)} to ${figureText(max)})`;
  const outcome = isMet ? 'met' : `missed: ${figureText(median / bound)} of it`;
  return `| ${work.title}: ${name} | ${sign} ${figureText(bound)} ${work.unit} | ${measured} | ${outcome} | ${isMet ? '' : (obstacle ?? '')} |`;
}
