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
  {
    work: 'drain',
    figure: 'Gemba',
    bound: 90,
    obstacle:
      'The server takes 250 to 500 µs of a processor for a recording, less the longer it has run: a fifth in SQLite, a tenth each for the chain’s hashes, the domain’s rules, the JSON and garbage. The device waits meanwhile, then takes 100 ms to write what the server has (decision 0089).',
  },
  {
    work: 'drain-postgres',
    figure: 'Gemba on PostgreSQL',
    bound: 130,
    obstacle: 'As in the row above; device, server and database share two processors.',
  },
  {
    work: 'drain-far',
    figure: 'Gemba',
    bound: 400,
    obstacle:
      'Five round trips one after the other, of which two pushes and two pages, beside the work of the first row.',
  },
  {
    work: 'first-sync',
    figure: 'Gemba',
    bound: 280,
    obstacle:
      'Fetching and parsing alone took 185 ms where the goal was set. For 5,000 runs the server takes 90 ms of a processor to read and parse rows, 75 to pack them and 8 to compress, and the device 200, of which 60 to unpack.',
  },
  {
    work: 'first-sync-chromium',
    figure: 'Gemba',
    bound: 1_300,
    obstacle:
      'Fetching and writing alone took 1,020 ms where the goal was set; beyond that, the pages of the row above.',
  },
  {
    work: 'first-sync-slow',
    figure: 'Gemba',
    bound: 900,
    obstacle: '742 kB take 1.5 s of the line alone. A phone with a scope of 2,000 runs gets 189 kB.',
  },
  { work: 'bytes-1', figure: 'Gemba', bound: 1 },
  {
    work: 'bytes-100',
    figure: 'Gemba',
    bound: 15,
    obstacle: 'A recording takes some 130 bytes in a push of many, 108 if such pushes were packed in columns.',
  },
  { work: 'first-sync-bytes', figure: 'Gemba', bound: 1_500 },
  { work: 'reads', figure: 'Gemba, a log line a request', bound: 4_000 },
  {
    work: 'pushes',
    figure: 'Gemba',
    bound: 4_880,
    obstacle:
      'A quarter of the thread’s time is COMMIT with its sync, a fifth other statements, a seventh hashes and schemas. A recording takes 340 µs of a processor; an early revision, without hash chain and checks of hostile JSON, takes 300.',
  },
  {
    work: 'pushes',
    figure: 'Gemba on PostgreSQL',
    bound: 4_880,
    obstacle:
      'The database shares the processors with server and devices. Of the server’s time a fourth is garbage and writing to the socket.',
  },
  { work: 'starts', figure: 'npm start', bound: 1_000 },
  { work: 'streams', figure: 'Gemba', bound: 10, obstacle: 'Node alone takes more for as many open responses.' },
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
