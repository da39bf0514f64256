/**
 * `npm run simulate -- --seeds 10000`: simulates fleets under faults, one history per seed, in a process per core.
 * Stops at the first failure with its seed, its shrunk history and its trace. `--from 1` names the first seed,
 * `--setting-of 7` uses the setting of that seed, `--minutes 2` limits the time,
 * `--failures 20` goes on until 20 seeds failed and shrinks none, `--devices 1` leaves out the copies,
 * `--scoped` lets the devices hold a part of the runs, `--postgres` runs on PostgreSQL, `--trace` prints the trace.
 * `--relay` simulates watches without a network and their carriers, one seed after another, to the end.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { smallScopes } from './fleet/setting.ts';
import type { SeedOutcome } from './fleet/simulate.ts';
import { historyOf, tableOf } from './fleet/table.ts';
import { runRelay } from './relay/run-relay.ts';
import { coverageCounts } from './search/coverage.ts';
import { argumentsOf, type Item, type ItemOutcome } from './search/item.ts';
import { runSeeds } from './search/run-seeds.ts';
import { SeedProcess } from './search/seed-process.ts';
import { shrink } from './search/shrink.ts';
import { makeBundles } from '../programs.ts';
import { startPostgres } from '../postgres.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string' },
    'setting-of': { type: 'string' },
    devices: { type: 'string' },
    scoped: { type: 'boolean', default: false },
    relay: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    failures: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const seeds = Number(values.seeds);
const from = Number(values.from ?? process.env['GEMBA_SEED'] ?? Date.now() % 1_000_000);
const setting = {
  ...(values.devices === undefined ? {} : { devices: Number(values.devices) }),
  ...(values.scoped ? { scopes: smallScopes } : {}),
};
const processes = Math.min(seeds, availableParallelism());
const shrinkTriesMax = 150;
/** Without `--postgres`, one seed in this many runs on PostgreSQL where there is one. */
const postgresEvery = 50;
const progressEverySeeds = 50;
const say = (line: string) => process.stdout.write(`${line}\n`);

if (values.relay) {
  const begunAt = performance.now();
  const isOver = () => performance.now() - begunAt > Number(values.minutes) * 60_000;
  process.exit((await runRelay({ from, seeds, say, isOver })) ? 0 : 1);
}

const bundles = await makeBundles(['test/simulation/search/worker-process']);
const startedAt = performance.now();
const secs = () => (performance.now() - startedAt) / 1000;
const postgres = values.postgres || seeds >= postgresEvery ? await startPostgres() : undefined;
if (values.postgres && !postgres) throw new Error('there is no PostgreSQL here');

const outcomes: SeedOutcome[] = [];
say(`from seed ${from}, in ${processes} processes${postgres ? ', with PostgreSQL' : ''}`);
const { seen, failed, failures } = await runSeeds({
  from,
  seeds,
  processes,
  setting,
  prefersNews: true,
  failuresMax: Number(values.failures),
  ...(values['setting-of'] === undefined ? {} : { settingOf: Number(values['setting-of']) }),
  postgresUrl: postgres?.url,
  postgresEvery: values.postgres ? 1 : postgresEvery,
  onOutcome: ({ outcome }: ItemOutcome, covered) => {
    outcomes.push(outcome);
    if (outcomes.length % progressEverySeeds > 0) return;
    const { fault, pair, state } = coverageCounts(covered);
    const rest = ((seeds - outcomes.length) * secs()) / outcomes.length;
    say(
      `${outcomes.length} of ${seeds} seeds, ${(outcomes.length / secs()).toFixed(1)} a second, about ${Math.ceil(rest / 60)} min left; ${fault} faults, ${pair} pairs, ${state} states seen`,
    );
  },
  isOver: () => secs() > Number(values.minutes) * 60,
});
say(tableOf(outcomes, secs() * 1000));
for (const [name, count] of Object.entries(coverageCounts(seen))) say(`${`${name}s seen`.padEnd(24)}${count}`);
if (values.failures !== '1') for (const one of failures) listFailure(one);
else if (failed) await report(failed.item, failed.outcome);
else if (values.trace) await printTrace({ seed: from, setting });
await postgres?.stop();
rmSync(bundles, { recursive: true });
process.exit(failed ? 1 : 0);

function listFailure({ item, outcome }: ItemOutcome): void {
  say(`\n${argumentsOf(item)}`);
  for (const { kind, detail } of outcome.failures) say(`  ${kind}: ${detail}`);
}

/** Prints the failure, and its history without the acts that it does not need. */
async function report(item: Item, outcome: SeedOutcome): Promise<void> {
  const kinds = new Set(outcome.failures.map(({ kind }) => kind));
  say(`\nseed ${outcome.seed} fails: ${[...kinds].join(', ')}; shrinking`);
  const process = new SeedProcess();
  const skipped = await shrink({
    acts: outcome.setting.acts,
    failsWithout: async (without) => {
      const { outcome: tried } = await process.run({ ...item, skipped: [...without] });
      return tried.failures.some(({ kind }) => kinds.has(kind));
    },
    triesMax: shrinkTriesMax,
  });
  process.end();
  await printTrace({ ...item, skipped: [...skipped] });
  say(`\nAgain: npm run simulate -- ${argumentsOf(item)}; skipped acts: ${[...skipped].join(' ')}`);
}

async function printTrace(item: Item): Promise<void> {
  const process = new SeedProcess();
  say(historyOf((await process.run({ ...item, hasTrace: true })).outcome));
  process.end();
}
