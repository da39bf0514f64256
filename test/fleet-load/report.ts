/** The tables of a run, as people read them. */
import type { FigureTable } from '../bench/table.ts';
import type { Part } from './measure/meter.ts';
import { bottleneckText } from './rising-rate.ts';
import type { LoadResult } from './run-load.ts';
import type { Latencies } from './measure/tally.ts';

const figure = (value: number | undefined, digits = 0): string =>
  value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits);

/** `p50 / p99` in milliseconds. */
const spread = (latencies: Latencies): string =>
  `${figure(latencies.percentile(0.5))} / ${figure(latencies.percentile(0.99))}`;

function timeCells({ tally, secs }: Part): string[] {
  const { push, pull, poke } = tally;
  const rate = (count: number) => figure(count / secs);
  return [rate(push.count), rate(pull.count), spread(push), spread(pull), spread(poke), String(tally.errorCount)];
}

const timeHead = ['pushes/s', 'pulls/s', 'push ms', 'pull ms', 'poke ms', 'errors'];

function useCells({ shares, serverMib, postgresMib }: Part): string[] {
  const { servers, postgres, driver, machine, cores } = shares;
  const processors = servers.map((share) => figure(share, 2)).join(' + ');
  const machineText = `${figure(machine, 2)} of ${cores}`;
  return [processors, figure(postgres, 2), figure(driver, 2), machineText, figure(serverMib), figure(postgresMib)];
}

const useHead = ['servers', 'PostgreSQL', 'driver', 'machine', 'server MiB', 'PostgreSQL MiB'];

export function tablesOf({ day, stages }: LoadResult): FigureTable[] {
  const processors =
    'Processors are shares of one; `machine` is all processes, those of others too. Memory is the most of one server (resident), and of all of PostgreSQL (its share of shared pages).';
  return [
    {
      title: 'The day',
      about:
        'Each time is p50 / p99, from the moment at which a request was due. A poke is the time from sending a push until an event stream brings its cursor.',
      head: ['phase', 'recordings/s', ...timeHead],
      rows: day.map((part) => [part.name, figure(part.tally.recordings / part.secs), ...timeCells(part)]),
    },
    {
      title: 'What the day took',
      about: processors,
      head: ['phase', ...useHead],
      rows: day.map((part) => [part.name, ...useCells(part)]),
    },
    {
      title: 'Rising rate',
      about: 'Pushes of one recording at a given rate, each followed by its pull. The last stage is the one that gave.',
      head: ['due/s', ...timeHead, ...useHead],
      rows: stages.map(({ pushesPerSec, part }) => [String(pushesPerSec), ...timeCells(part), ...useCells(part)]),
    },
  ];
}

export function summaryOf({ day, stages, recordings, stored, pairingSecs, problems }: LoadResult): string[] {
  const last = stages.at(-1);
  const parts = [...day, ...stages.map(({ part }) => part)];
  const lost = parts.reduce((sum, { tally }) => sum + tally.lostAnswers, 0);
  const errors = new Map<string, number>();
  for (const { tally } of parts) {
    for (const [code, count] of tally.errors) errors.set(code, (errors.get(code) ?? 0) + count);
  }
  const errorText = [...errors].map(([code, count]) => `${count} × ${code}`).join(', ');
  return [
    `pairing took ${figure(pairingSecs)} s`,
    `errors: ${errorText || 'none'}; ${lost} answers to pushes were thrown away, and sent again`,
    last?.gave === undefined
      ? 'nothing gave up to the last rate'
      : `at ${last.pushesPerSec} pushes a second gave: ${last.gave} (${bottleneckText(last.part.shares)})`,
    problems.length === 0
      ? `each of the ${recordings} recordings is stored once, whole and in its device's order; ${stored} are stored`
      : `${problems.length} PROBLEMS with ${recordings} recordings, of which ${stored} are stored`,
  ];
}
