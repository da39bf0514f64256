/**
 * Two real server processes on one PostgreSQL under mixed load. One of the two is killed with SIGKILL again and again, and
 * its clients retry at the other. At the end all work is stored once and in order, and both processes return the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { createAccountOn, FailoverApi, startServerOn } from './failing-pair.ts';
import { PushingDevice, Editor, PullingDevice, RestUploader, type Worker } from './failover-load.ts';
import { Api, type Received } from '../../contract/fixture.ts';
import { randomWithPrintedSeed, randomBelow } from '../../random.ts';
import { pullAll, SyncClient } from '../../contract/sync-client.ts';

const kills = 15;
const killAfterMsMax = 1_000;
/** Spare processes start while others are killed, since a start may take as long as the time between two kills. */
const sparesMax = 4;
/** The pause between two pieces of work leaves processor time to the processes that start. */
const workPauseMsMax = 100;

describe.skipIf(!postgresAtHand())('two processes on one PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test('[PG-3] [PG-11] [PG-12] [PG-13] [PG-14] lose and double nothing, however often one is killed', async () => {
    const random = randomWithPrintedSeed();
    const databaseUrl = await postgres!.createDatabase();
    const servers = await Promise.all([startServerOn(databaseUrl), startServerOn(databaseUrl)]);
    const spares = Array.from({ length: sparesMax }, () => startServerOn(databaseUrl));
    const urls = servers.map(({ url }) => url);
    const account = await createAccountOn(urls[0]!);
    const shared = await account.createMap();
    const given = (at: number, name: string) => ({
      api: new FailoverApi({ urls, key: account.key, at: at % 2 }),
      random,
      mapId: shared.id,
      name,
    });
    const editors: Editor[] = [];
    for (const at of [0, 1]) editors.push(new Editor({ ...given(at, ''), mapId: (await account.createMap()).id }));
    const recorders = [0, 1].map((at) => new RestUploader(given(at, `recorder-${at}`)));
    const devices = [0, 1, 2].map((at) => new PushingDevice(given(at, `device-${at}`)));
    const puller = new PullingDevice(given(1, '').api);

    const ending = new AbortController();
    const untilTheEnd = async (worker: Worker) => {
      for (; !ending.signal.aborted; await sleep(randomBelow(random, workPauseMsMax))) await worker.work();
    };
    const working = [...editors, ...recorders, ...devices, puller].map(untilTheEnd);
    // A failed worker ends the test early.
    const failed = Promise.all(working).catch(() => ending.abort());
    let killed = 0;
    for (; killed < kills && !ending.signal.aborted; killed++) {
      await sleep(randomBelow(random, killAfterMsMax));
      const victim = randomBelow(random, servers.length);
      servers[victim]!.child.kill('SIGKILL');
      await servers[victim]!.ended;
      servers[victim] = await spares.shift()!;
      spares.push(startServerOn(databaseUrl));
      urls[victim] = servers[victim]!.url;
    }
    // A slow machine gets more time, until enough work is done.
    const keptSoFar = () => [...recorders.map(({ kept }) => kept), ...devices.map(({ sent }) => sent)].flat();
    while (keptSoFar().length <= killed && !ending.signal.aborted) await sleep(workPauseMsMax);
    ending.abort();
    await failed;
    await Promise.all(working);
    // Spare processes must have started before they can be stopped.
    await Promise.all(spares);

    const [one, other] = await Promise.all(
      urls.map((url) => pullAll(new SyncClient(new Api({ url, key: account.key, accountId: '' })))),
    );
    expect(one).toEqual(other);
    const changes: Received['body'][] = one!.changes;
    const versions = changes.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    await puller.work();
    const heldLast = [...puller.held.values()].toSorted((a, b) => a.version - b.version);
    expect(heldLast).toEqual(changes.filter(({ deleted }) => !deleted));

    const docs = (kind: string) => changes.filter((each) => each.kind === kind).map(({ doc }) => doc);
    for (const { mapId, stages, name } of editors) {
      const map = docs('map').find(({ id }) => id === mapId);
      expect({ name: map.name, stage_count: map.stage_count }).toEqual({ name, stage_count: stages.length });
      expect(map.stages.map(({ id, stage, order }: Received['body']) => ({ id, stage, order }))).toEqual(
        stages.map(({ id, stage }, index) => ({ id, stage, order: index + 1 })),
      );
    }

    const runs = docs('run').map(({ recording_session_id, id, number }) => ({
      session: recording_session_id,
      runId: id,
      number,
    }));
    const kept = keptSoFar();
    const gone = recorders.flatMap(({ deleted }) => deleted);
    const byNumber = (all: typeof runs) => all.toSorted((a, b) => a.number - b.number);
    expect(byNumber(runs)).toEqual(byNumber(kept));
    const numbers = byNumber([...kept, ...gone]).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    for (const { client, sent } of devices) {
      expect(byNumber(sent)).toEqual(sent);
      const told = await pullAll(new SyncClient(new Api({ url: urls[0]!, key: account.key, accountId: '' })), {
        client_id: client.id,
      });
      const own = told.changes.find(({ kind }) => kind === 'client');
      expect(own.doc).toMatchObject({ last_seq: sent.length, rejections: [] });
    }
    expect(docs('map').find(({ id }) => id === shared.id)).toMatchObject({
      run_count: kept.length,
      last_run_number: numbers.at(-1),
    });
    const edits = editors.reduce((sum, editor) => sum + editor.edits, 0);
    console.log(`${killed} kills, ${edits} edits, ${kept.length + gone.length} recordings, ${gone.length} deleted`);
    expect(kept.length).toBeGreaterThan(killed);
  });
});
