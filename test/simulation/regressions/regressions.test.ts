import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';
import { earlierSettingOf } from '../fleet/setting.ts';
import { historyOf } from '../fleet/table.ts';
import type { Item, ItemOutcome } from '../search/item.ts';
import { SeedProcess } from '../search/seed-process.ts';
import { regressions, type Regression } from './regressions.ts';

/** All seeds run in it, since a new process takes longer to begin than a seed does. */
let process: SeedProcess;
beforeAll(() => void (process = new SeedProcess()));
afterAll(() => process.end());

const itemOf = ({ seed, settingOf: other, setting, isEarlier }: { seed: number } & Omit<Given, 'seeds'>): Item => ({
  seed,
  settingOf: other,
  setting: { pageChangesMax: pullLimitMax, ...(isEarlier ? earlierSettingOf(other ?? seed) : {}), ...setting },
});
type Given = Pick<Regression, 'seeds' | 'settingOf' | 'setting' | 'isEarlier'>;

async function expectNoFailure(item: Item): Promise<ItemOutcome> {
  const reply = await process.run({ ...item, hasTrace: true });
  expect(reply.outcome.failures, historyOf(reply.outcome)).toEqual([]);
  return reply;
}

for (const { name, seeds, ...given } of regressions) {
  test(`[SIM-21] [SIM-40] ${name}: seeds ${seeds.join(' ')}`, async () => {
    for (const seed of seeds) await expectNoFailure(itemOf({ seed, ...given }));
  });
}

/** More rounds of a device at rest within a minute mean that its waits do not grow. */
const roundsPerMinuteMax = 40;

test('[SIM-22] [SYNC-100] no device of seed 20 begins more than 40 rounds in a minute while its server is away', async () => {
  const { outcome } = await expectNoFailure(itemOf({ seed: 20, isEarlier: true }));
  const rounds = new Map<string, number>();
  for (const line of outcome.trace) {
    const [, minute, device] = /^(\d+d \d+:\d+):\S+ (\S+) +is syncing/.exec(line) ?? [];
    if (minute !== undefined) rounds.set(`${minute} ${device}`, (rounds.get(`${minute} ${device}`) ?? 0) + 1);
  }
  expect(rounds.size).toBeGreaterThan(5);
  expect([...rounds].filter(([, count]) => count > roundsPerMinuteMax)).toEqual([]);
});

test.skipIf(!postgresAtHand())(
  '[SIM-23] a seed that runs twice on one PostgreSQL has a database of its own each time',
  async () => {
    const postgres = (await startPostgres())!;
    onTestFinished(() => postgres.stop());
    const postgresUrl = await postgres.createDatabase();
    const item = { seed: 5, setting: { isPaired: true, acts: 12 }, postgresUrl };
    const [first, second] = [await expectNoFailure(item), await expectNoFailure(item)];
    expect(second.outcome.recordings).toBe(first.outcome.recordings);
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
  },
);
