/**
 * Devices, integrators and a carrier change one account by way of two server processes, which are killed with `kill -9` again
 * and again. Whoever follows the events hears each change once and in order, and the same as a pull tells.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Api, type Received } from '../../contract/fixture.ts';
import { newCode } from '../../contract/pairing.ts';
import { deliver, openInner, relayKeys, sealTo } from '../../contract/sealed-client.ts';
import { protocol, SyncClient } from '../../contract/sync-client.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { randomBelow, randomWithPrintedSeed, type Random } from '../../random.ts';
import { testMsMax } from '../../timeouts.ts';
import { createAccountOn, FailoverApi, startServerOn, type RunningProcess } from '../operations/failing-pair.ts';
import { RandomChanges, type SharedRecords } from './random-changes.ts';

const mutations = 10_000;
const pushMutationsMax = 60;
const restCalls = 200;
const killAfterMsMax = 1_500;

interface SeenEvent {
  id: string;
  type: string;
  version: number;
  subject: { kind: string; id: string | number };
}

interface PulledChange {
  kind: string;
  id: string | number;
  version: number;
  deleted: boolean;
}

describe.skipIf(!postgresAtHand())('events of two server processes', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test(
    '[EVENTLOG-14] [EVENTLOG-17] events tell what pulls tell of 10,000 random changes by push, REST and relay, under kill -9',
    async () => {
      const random = randomWithPrintedSeed();
      const databaseUrl = await postgres!.createDatabase();
      const processes = [await startServerOn(databaseUrl), await startServerOn(databaseUrl)];
      const urls = processes.map(({ url }) => url);
      onTestFinished(() => processes.forEach(({ child }) => void child.kill('SIGKILL')));
      const admin = await createAccountOn(urls[0]!);
      const apiAt = (at: number, key = admin.key) => new FailoverApi({ urls, key, at, triesMax: 1_000 });
      const watch = await pairWatch(admin);
      const shared: SharedRecords = { mapIds: [], runIds: [], stageIds: [] };
      const changesOf = (caller: number) => new RandomChanges(random, shared, caller);

      const left = { mutations };
      const working = Promise.all([
        pushAll(apiAt(0), { changes: changesOf(0), left, random }),
        pushAll(apiAt(1), { changes: changesOf(1), left, random }),
        carryAll(apiAt(0), { token: watch.key, changes: changesOf(2), left, random }),
        callAll(apiAt(1), changesOf(3)),
      ]);
      const done = { isDone: false };
      const following = Promise.all([followEvents(apiAt(0), done), followPulls(apiAt(1), done)]);
      const killing = killUntil(done, { databaseUrl, processes, urls, random });
      await working;
      done.isDone = true;
      const kills = await killing;
      const [events, pulled] = await following;

      console.log(`${kills} kills, ${events.length} events, ${pulled.length} pulled changes`);
      expect(kills).toBeGreaterThan(3);
      const versions = events.map(({ version }) => version);
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      // Each change that a device pulled is an event, and each record's last event is its last change.
      const told = new Map(events.map(({ version, subject, type }) => [version, { subject, type }]));
      for (const { kind, id, version, deleted } of pulled) {
        expect(told.get(version)?.subject).toEqual({ kind, id });
        if (kind === 'run' && deleted) expect(told.get(version)?.type).toBe('run.deleted');
      }
      const lastPulled = lastVersions(pulled.map(({ kind, id, version }) => ({ subject: { kind, id }, version })));
      const records = events.filter(({ subject }) => subject.kind === 'map' || subject.kind === 'run');
      const lastTold = lastVersions(records);
      const neverPulled = records.filter(
        ({ subject, type }) => type === 'run.deleted' && !lastPulled.has(keyOf(subject)),
      );
      for (const { subject } of neverPulled) lastTold.delete(keyOf(subject));
      expect(lastTold).toEqual(lastPulled);
      const received = events.filter(({ type }) => type === 'recording.received').map(({ subject }) => subject.id);
      expect(new Set(received).size).toBe(received.length);
    },
    testMsMax,
  );
});

const keyOf = ({ kind, id }: SeenEvent['subject']): string => `${kind} ${id}`;

const lastVersions = (seen: Pick<SeenEvent, 'subject' | 'version'>[]): Map<string, number> =>
  new Map(seen.map(({ subject, version }) => [keyOf(subject), version]));

async function pairWatch(admin: Api): Promise<Api> {
  const body = {
    code: await newCode(admin, 'phone'),
    device_id: crypto.randomUUID(),
    device_name: 'Phone',
    device_kind: 'phone',
  };
  const paired = await admin.post('/api/v1/auth/pair', body);
  expect(paired.status).toBe(201);
  return new Api({ url: admin.url, key: paired.body.token, accountId: admin.accountId });
}

interface RandomWork {
  changes: RandomChanges;
  /** How many mutations all callers together have still to make. */
  left: { mutations: number };
  random: Random;
}

function takeMutations(client: SyncClient, { changes, left, random }: RandomWork): unknown[] {
  const count = Math.min(left.mutations, 1 + randomBelow(random, pushMutationsMax));
  left.mutations -= count;
  return Array.from({ length: count }, () => {
    const { name, args } = changes.next();
    return client.next(name, args);
  });
}

async function pushAll(api: FailoverApi, work: RandomWork): Promise<void> {
  const client = new SyncClient(new Api({ url: '', key: '', accountId: '' }));
  let acked = 0;
  while (work.left.mutations > 0) {
    const batch = takeMutations(client, work);
    const { status, body } = await api.retryUntilServed((at) => client.push(batch, { api: at, acked }));
    expect(status).toBe(200);
    acked = body.last_seq;
  }
}

/** Pushes of a device that has no network, each delivered until it is answered. */
async function carryAll(api: FailoverApi, { token, ...work }: RandomWork & { token: string }): Promise<void> {
  const client = new SyncClient(new Api({ url: '', key: '', accountId: '' }));
  let acked = 0;
  while (work.left.mutations > 0) {
    const body = { client_id: client.id, acked_seq: acked, mutations: takeMutations(client, work) };
    const { body: answer } = await api.retryUntilServed(async (at) => {
      const sealed = await sealTo(await relayKeys(at.url), { token, body });
      const response = await deliver(at, sealed.sealed);
      const isAnswered = response.status === 200;
      if (!isAnswered) return { status: response.status, headers: response.headers, body: undefined, text: '' };
      return { ...(await openInner(response, sealed)), text: '' };
    });
    expect(answer.last_seq).toBeGreaterThan(acked);
    acked = answer.last_seq;
  }
}

async function callAll(api: FailoverApi, changes: RandomChanges): Promise<void> {
  for (let call = 0; call < restCalls; call++) {
    const { name, args } = changes.next();
    const { map_id, ...fields } = args;
    const path = `/api/v1/maps/${String(map_id)}`;
    if (name === 'create_map') await api.post('/api/v1/maps', { id: map_id, ...fields });
    else if (name === 'update_map') await api.patch(path, fields);
    else if (name === 'delete_map') await api.post(`${path}/delete`);
    else if (name === 'restore_map') await api.post(`${path}/restore`);
  }
}

async function followEvents(api: FailoverApi, done: { isDone: boolean }): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  let after = '';
  for (;;) {
    const wasDone = done.isDone;
    const query = after === '' ? '' : `&after=${after}`;
    const { status, body } = await api.retryUntilServed((at) => at.get(`/api/v1/events?limit=200${query}`));
    expect(status).toBe(200);
    seen.push(...body.data);
    after = body.next_cursor;
    if (wasDone && !body.has_more) return seen;
  }
}

async function followPulls(api: FailoverApi, done: { isDone: boolean }): Promise<PulledChange[]> {
  const pulled: PulledChange[] = [];
  let cursor = '';
  for (;;) {
    const wasDone = done.isDone;
    const { status, body }: Received = await api.retryUntilServed((at) =>
      at.get(`/api/v1/sync/pull?cursor=${cursor}`, protocol),
    );
    expect(status).toBe(200);
    pulled.push(...body.changes);
    cursor = body.cursor;
    if (wasDone && !body.has_more) return pulled;
  }
}

interface KilledPair {
  databaseUrl: string;
  processes: RunningProcess[];
  urls: string[];
  random: Random;
}

/** Kills one process after the other and replaces it, until the work is done. */
async function killUntil(done: { isDone: boolean }, pair: KilledPair): Promise<number> {
  const { databaseUrl, processes, urls, random } = pair;
  let kills = 0;
  while (!done.isDone) {
    const at = randomBelow(random, processes.length);
    await new Promise((resolve) => setTimeout(resolve, randomBelow(random, killAfterMsMax)));
    const { child, ended } = processes[at]!;
    child.kill('SIGKILL');
    await ended;
    kills++;
    const next = await startServerOn(databaseUrl);
    processes[at] = next;
    urls[at] = next.url;
  }
  return kills;
}
