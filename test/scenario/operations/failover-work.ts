/** Mixed work of an account that goes on while something is killed, and the check that nothing of it was lost or doubled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { FailoverApi, type FailoverApiOptions } from './failing-pair.ts';
import { Editor, PullingDevice, PushingDevice, RestUploader, type Worker } from './failover-load.ts';
import { Api, type Received } from '../../contract/fixture.ts';
import { type Random, randomBelow } from '../../random.ts';
import { pullAll, SyncClient } from '../../contract/sync-client.ts';

/** The pause between two pieces of work leaves processor time to the processes that start. */
const workPauseMsMax = 100;

export interface FailoverWork {
  /** Aborted when a worker failed, so that the test ends early. */
  ending: AbortSignal;
  /** The recordings that are acknowledged and not deleted. */
  keptCount(): number;
  /** Ends the work. Rejects if a worker failed. */
  end(): Promise<void>;
  /** Expects all acknowledged work on each process, once and in order. Returns a line that counts it. */
  expectKeptOnce(): Promise<string>;
}

interface FailoverWorkOptions extends Omit<FailoverApiOptions, 'at' | 'key'> {
  account: Api;
  random: Random;
}

export async function startFailoverWork({ account, random, ...options }: FailoverWorkOptions): Promise<FailoverWork> {
  const { urls } = options;
  const { key } = account;
  const shared = await account.createMap();
  const given = (at: number, name: string) => ({
    api: new FailoverApi({ ...options, key, at: at % urls.length }),
    random,
    mapId: shared.id,
    name,
  });
  const editors: Editor[] = [];
  for (const at of [0, 1]) editors.push(new Editor({ ...given(at, ''), mapId: (await account.createMap()).id }));
  const recorders = [0, 1].map((at) => new RestUploader(given(at, `recorder-${at}`)));
  const devices = [0, 1, 2].map((at) => new PushingDevice(given(at, `device-${at}`)));
  const puller = new PullingDevice(given(1, '').api);
  const keptSoFar = () => [...recorders.map(({ kept }) => kept), ...devices.map(({ sent }) => sent)].flat();

  const ending = new AbortController();
  const untilTheEnd = async (worker: Worker) => {
    for (; !ending.signal.aborted; await sleep(randomBelow(random, workPauseMsMax))) await worker.work();
  };
  const working = [...editors, ...recorders, ...devices, puller].map(untilTheEnd);
  const failed = Promise.all(working).catch(() => ending.abort());

  const expectKeptOnce = async () => {
    const [one, ...others] = await Promise.all(
      urls.map((url) => pullAll(new SyncClient(new Api({ url, key, accountId: '' })))),
    );
    for (const other of others) expect(other).toEqual(one);
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
      const told = await pullAll(new SyncClient(new Api({ url: urls[0]!, key, accountId: '' })), {
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
    return `${edits} edits, ${kept.length + gone.length} recordings, ${gone.length} deleted`;
  };

  return {
    ending: ending.signal,
    keptCount: () => keptSoFar().length,
    async end() {
      ending.abort();
      await failed;
      await Promise.all(working);
    },
    expectKeptOnce,
  };
}
