/**
 * An account that grows between measurements, without HTTP: its first runs through the code behind the push, further
 * ones as copies of these through the store, which takes a fifth of the time. Copies bring no stages of their own.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { operatorActor } from '../../../server/core/caller.ts';
import { assert } from '../../../shared/domain/assert.ts';
import type { PushRequest } from '../../../shared/protocol/push.ts';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import { createAccountQueue } from '../../../server/mutate/account-queue.ts';
import { openStore } from '../../../server/store/open-store.ts';
import type { RunRow } from '../../../server/store/rows/documents.ts';
import type { Store } from '../../../server/store/store.ts';
import { createClientOwners } from '../../../server/sync/client-owners.ts';
import { push } from '../../../server/sync/push.ts';
import { nothing, write } from '../../contract/store/records.ts';
import { BenchDevice } from '../recordings.ts';

interface AccountShape {
  dataDir: string;
  /** PostgreSQL. Default: the embedded database in the folder. */
  databaseUrl?: string | undefined;
  maps: number;
  stepCount: number;
  /** The time between the arrivals of two runs. */
  msPerRun: number;
  startMs: number;
  /** Further runs are copies. */
  pushedRunsMax: number;
}

export interface GrowingAccount {
  token: string;
  /** Adds runs until the account has that many. No server may run on the embedded database meanwhile. */
  growTo(runs: number): Promise<void>;
}

/** Runs of one map follow each other, as many as this, and then those of the next map. */
const runsPerTurn = 50;
/** A transaction copies the runs of so many maps, each of which has a turn. An account has at least as many maps. */
const mapsPerCopy = 20;

export async function makeGrowingAccount(shape: AccountShape): Promise<GrowingAccount> {
  let now = shape.startMs;
  const world = { now: () => now, randomBytes };
  const withServices = async <Result>(work: (services: PushServices) => Promise<Result>): Promise<Result> => {
    const store = await openStore({ ...shape, world });
    try {
      return await work({ store, world, queue: createAccountQueue(store, world), owners: createClientOwners(store) });
    } finally {
      await store.close();
    }
  };
  const { account, api_key } = await withServices((services) =>
    createAccount(services, { name: 'Bench', plan: 'team' }),
  );
  const pushAs = pusherOf(account.id);
  const devices = Array.from({ length: shape.maps }, () => new BenchDevice({ stepCount: shape.stepCount }));
  await withServices(async (services) => {
    for (const device of devices) await pushAs(services, device.mapBatch());
  });
  let turn = 0;
  const growByPushes = async (services: PushServices, turns: number): Promise<void> => {
    for (; turn < turns; turn++) {
      now += shape.msPerRun * runsPerTurn;
      await pushAs(services, devices[turn % devices.length]!.recordings(runsPerTurn));
    }
  };
  const growByCopies = async ({ store }: PushServices, turns: number): Promise<void> => {
    if (turn >= turns) return;
    const copy = await copierOf(store, account.id);
    for (; turn < turns; turn += mapsPerCopy) {
      now += shape.msPerRun * runsPerTurn * mapsPerCopy;
      await copy(turn, now);
    }
  };
  return {
    token: api_key,
    growTo: (runs) =>
      withServices(async (services) => {
        await growByPushes(services, Math.min(runs, shape.pushedRunsMax) / runsPerTurn);
        await growByCopies(services, runs / runsPerTurn);
      }),
  };
}

type PushServices = Parameters<typeof push>[0];

function pusherOf(accountId: string) {
  const caller = {
    accountId,
    deviceId: null,
    tokenHash: '',
    actor: operatorActor,
    scopes: ['record' as const, 'write' as const],
  };
  return async (services: PushServices, request: PushRequest): Promise<void> => {
    const outcome = await push(services, caller, request);
    if (!outcome.ok || outcome.response.results.some(({ status }) => status !== 'applied')) {
      throw new Error(`refused: ${JSON.stringify(outcome)}`);
    }
  };
}

type Copier = (turn: number, now: number) => Promise<void>;

/** Returns a function that adds copies of the first runs of the turn's maps to these maps, as new recordings. */
async function copierOf(store: Store, accountId: string): Promise<Copier> {
  const { changes } = await store.changes(accountId, { after: 0, limit: 1_000, kinds: ['map'] });
  const mapIds = changes.map(({ id }) => String(id));
  const originals = new Map<string, RunRow[]>();
  for (const mapId of mapIds) {
    const { rows } = await store.runs(accountId, { mapId, limit: runsPerTurn });
    const readSet = { ...nothing, runIdsToChange: rows.map(({ id }) => id) };
    originals.set(mapId, await store.transact(accountId, readSet, (loaded) => ({ result: loaded.runsWithSteps })));
  }
  return async (turn, now) => {
    const turnIds = Array.from({ length: mapsPerCopy }, (_, index) => mapIds[(turn + index) % mapIds.length]!);
    const arrived = new Date(now).toISOString();
    const make: Parameters<typeof write>[2] = (nextVersion, { maps }) => {
      const copies = maps.map((map) => {
        const runs = originals.get(map.id)!.map((row, index) => {
          const number = map.last_run_number + index + 1;
          return copyOf(row, { version: nextVersion(), number, created_at: arrived });
        });
        const run_count = map.run_count + runs.length;
        const last_run_number = map.last_run_number + runs.length;
        return { runs, map: { ...map, version: nextVersion(), run_count, last_run_number, last_run_at: arrived } };
      });
      return { runs: copies.flatMap(({ runs }) => runs), maps: copies.map(({ map }) => map) };
    };
    await write(store, accountId, make, { mapIds: turnIds });
  };
}

function copyOf(row: RunRow, fields: { version: number; number: number; created_at: string }): RunRow {
  const id = randomInt(deviceMadeIdMin, 2 ** 47);
  const made = { ...fields, id, recording_session_id: randomUUID() };
  assert(row.doc, 'the run is not deleted');
  return { ...row, ...made, stage_ids: [], doc: { ...row.doc, ...made } };
}
