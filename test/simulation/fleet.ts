/**
 * `npm run simulate -- --seeds 1000 --from 1`: simulates fleets of copies of one device, one history per seed. Prints a
 * table and the history of the first failing seeds. `--minutes 2` limits the time, `--devices 1` leaves out the copies,
 * `--scoped` lets the devices hold a part of the runs.
 */
import { parseArgs } from 'node:util';
import { FleetServer } from './fleet/server.ts';
import { simulate, smallScopes, type SeedOutcome } from './fleet/simulate.ts';
import { FleetTime } from './fleet/time.ts';
import { historyOf, tableOf } from './fleet/table.ts';

/** A server slows down as its accounts grow, so it is replaced after this many seeds. */
const seedsPerServer = 25;
const historiesShownMax = 3;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string' },
    devices: { type: 'string' },
    scoped: { type: 'boolean', default: false },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const seeds = Number(values.seeds);
const from = Number(values.from ?? process.env['GEMBA_SEED'] ?? Date.now() % 1_000_000);
const setting = {
  ...(values.devices === undefined ? {} : { devices: Number(values.devices) }),
  ...(values.scoped ? { scopes: smallScopes } : {}),
};
const msMax = Number(values.minutes) * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const startedAt = performance.now();
const outcomes: SeedOutcome[] = [];
const isLate = () => performance.now() - startedAt > msMax;
say(`from seed ${from}`);
for (let done = 0; done < seeds && !isLate(); done += seedsPerServer) {
  const time = new FleetTime();
  const server = await FleetServer.open(time);
  const end = from + Math.min(done + seedsPerServer, seeds);
  for (let seed = from + done; seed < end && !isLate(); seed++) {
    const outcome = await simulate({ seed, server, time, setting });
    if (outcome.failures.length > 0) say(`seed ${seed}: ${outcome.failures.map(({ kind }) => kind).join(', ')}`);
    outcomes.push(outcome);
  }
  await server.remove();
}
for (const outcome of outcomes.filter(({ failures }) => failures.length > 0).slice(0, historiesShownMax)) {
  say(historyOf(outcome));
}
say(tableOf(outcomes, performance.now() - startedAt));
process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0;
