/**
 * Counts the statements of a push to PostgreSQL and how often the push waits for a result, for several batch sizes. A proxy
 * delays each round trip, so the duration of a push shows the number of its waits.
 */
import { randomBytes } from 'node:crypto';
import { operatorActor } from '../../server/core/caller.ts';
import { createAccount } from '../../server/auth/new-account.ts';
import { createAccountQueue } from '../../server/mutate/account-queue.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { createClientOwners } from '../../server/sync/client-owners.ts';
import { push } from '../../server/sync/push.ts';
import { spreadOf, measureSecs, takeTurns } from './measure.ts';
import { openLine } from './line.ts';
import { BenchDevice } from './recordings.ts';
import type { Setting } from './setting.ts';
import { spreadText, type FigureTable } from './table.ts';

const batches = [
  ...[1, 10, 100, 1_000].map((size) => ({ size, of: 'recordings' as const })),
  ...[1, 10_000].map((size) => ({ size, of: 'edits' as const })),
];
/** The round trip is long compared with a push, so that noise matters little. */
const roundTripMs = 200;

export async function measureRoundTrips({ smoke, postgresUrl }: Setting): Promise<FigureTable> {
  return {
    title: 'Round trips',
    about:
      `What one push of so many recordings, or edits of stages, takes longer when PostgreSQL is ${roundTripMs} ms away, in\n` +
      'round trips. The embedded database is in the process and has none.',
    head: ['database', 'batch', 'of', 'round trips', 'statements'],
    rows: postgresUrl ? await measureOverDistance(await postgresUrl(), smoke) : [],
  };
}

async function measureOverDistance(url: string, smoke: boolean): Promise<string[][]> {
  const line = await openLine(url, { defaultPort: 5432 });
  let statements = 0;
  const onStatement = (text: string) =>
    void (statements += text.startsWith('NOTIFY') || text.includes('pg_notify') ? 0 : 1);
  const store = await openPostgresStore({ url: line.url, onStatement });
  const world = { now: Date.now, randomBytes };
  const services = { store, world, queue: createAccountQueue(store, world), owners: createClientOwners(store) };
  const { account } = await createAccount({ store, world }, { name: 'Bench', plan: 'team' });
  const scopes = ['record' as const, 'write' as const];
  const caller = { accountId: account.id, deviceId: null, tokenHash: '', actor: operatorActor, scopes };
  const device = new BenchDevice();
  await push(services, caller, device.mapBatch());

  const rows: string[][] = [];
  for (const { size, of } of batches) {
    const counted: number[] = [];
    const pushAt = (ms: number) => async () => {
      line.roundTripMs = ms;
      const request = device[of](size);
      statements = 0;
      const secs = await measureSecs(() => push(services, caller, request));
      counted.push(statements);
      return secs;
    };
    const { near, far } = await takeTurns({ near: pushAt(0), far: pushAt(roundTripMs) }, { rounds: smoke ? 2 : 9 });
    const trips = far.map((secs, round) => ((secs - near[round]!) * 1000) / roundTripMs);
    rows.push(['PostgreSQL', String(size), of, spreadText(spreadOf(trips)), spreadText(spreadOf(counted))]);
  }
  await store.close();
  await line.close();
  return rows;
}
