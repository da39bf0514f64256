/** The time in which a device that was offline gets its recordings to the server. */
import { join } from 'node:path';
import pg from 'pg';
import { openLine } from '../../line.ts';
import { measureSecs, takeTurns, type Sample } from '../../measure.ts';
import { syncSubjects, gembaName } from '../devices/all.ts';
import { startGemba } from '../devices/gemba.ts';
import { batchesOf, postJson, startPeerProcess } from '../devices/peer-process.ts';
import type { Work } from '../report/figures.ts';
import { openRows } from '../servers/rows.ts';
import { makeRecordings, stepCount, type Recording } from '../work.ts';
import { farLine, withLined, type LinedContender } from './lines.ts';
import { fullSync, postgresSync, workOf, type PeersSetting, type Subject } from './work-setting.ts';

const limitName = 'the same bytes by HTTP';
const rowsName = 'the rows alone';
const pushSize = 500;

export async function measureDrain(setting: PeersSetting): Promise<Work[]> {
  const { smoke, dataDir } = setting;
  const count = smoke ? 20 : 1_000;
  const subjects = await syncSubjects(setting);
  const works = await withLined(subjects, dataDir, async (lined) => {
    const limit = await startPeerProcess('limit', dataDir('limit'));
    const rows = await openRows(join(dataDir('rows'), 'rows.db'));
    const limits: Record<string, Subject> = {
      [limitName]: { role: 'limit', durability: fullSync },
      [rowsName]: { role: 'limit', durability: fullSync },
    };
    const about = `A device in Node with memory storage made ${count} recordings of ${stepCount} steps offline, then it sends them.`;
    const devices = drainSamples(lined, count);
    const near = await takeTurns<string>(
      {
        ...devices,
        [limitName]: () => storeOverHttp(limit.url, makeRecordings(count)),
        [rowsName]: () => {
          const documents = makeRecordings(count).map((document) => JSON.stringify(document));
          return measureSecs(async () => rows.append(documents)).then(toMs);
        },
      },
      { rounds: smoke ? 1 : 7 },
    );
    await limit.stop();
    for (const { line } of lined.values()) Object.assign(line, farLine);
    const far = await takeTurns<string>(devices, { rounds: smoke ? 1 : 3 });
    const shared = { unit: 'ms', better: 'lower' as const, base: gembaName };
    return [
      workOf({
        ...shared,
        id: 'drain',
        title: `Drain ${count} recordings`,
        about,
        samples: near,
        subjects: { ...subjects, ...limits },
      }),
      workOf({
        ...shared,
        id: 'drain-far',
        title: `Drain ${count} recordings on a line of 60 ms`,
        about,
        samples: far,
        subjects,
      }),
    ];
  });
  return [...works, ...(setting.postgresUrl ? [await drainOnPostgres(setting, count, setting.postgresUrl)] : [])];
}

async function drainOnPostgres(
  { smoke, dataDir }: PeersSetting,
  count: number,
  postgresUrl: () => Promise<string>,
): Promise<Work> {
  const name = `${gembaName} on PostgreSQL`;
  const running = await startGemba(dataDir('pg'), await postgresUrl());
  const databaseUrl = await postgresUrl();
  const limit = await startPeerProcess('limit', dataDir('limit'), databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const line = await openLine(running.url, { defaultPort: 80 });
  try {
    const samples = await takeTurns<string>(
      {
        [name]: () => drain({ running, line }, makeRecordings(count)),
        [limitName]: () => storeOverHttp(limit.url, makeRecordings(count)),
        [rowsName]: async () => {
          const documents = makeRecordings(count).map((document) => JSON.stringify(document));
          const text = 'INSERT INTO bare (doc) SELECT * FROM unnest($1::jsonb[])';
          return toMs(await measureSecs(() => client.query({ name: 'rows', text, values: [documents] })));
        },
      },
      { rounds: smoke ? 1 : 7 },
    );
    return workOf<string>({
      id: 'drain-postgres',
      title: `Drain ${count} recordings, on PostgreSQL`,
      about:
        'The work of the first table with PostgreSQL on the same machine. No peer has a server on PostgreSQL here.',
      unit: 'ms',
      better: 'lower',
      samples,
      base: name,
      subjects: {
        [name]: { role: 'gemba', durability: postgresSync },
        [limitName]: { role: 'limit', durability: postgresSync },
        [rowsName]: { role: 'limit', durability: postgresSync },
      },
    });
  } finally {
    await client.end();
    await limit.stop();
    await line.close();
    await running.stop();
  }
}

const toMs = (secs: number): number => secs * 1000;

function drainSamples(lined: Map<string, LinedContender>, count: number): Record<string, Sample> {
  return Object.fromEntries([...lined].map(([name, one]) => [name, () => drain(one, makeRecordings(count))]));
}

/** Returns the milliseconds in which a device sends what it made offline. */
async function drain({ running, line }: LinedContender, recordings: Recording[]): Promise<number> {
  line.isUp = false;
  const device = await running.openDevice({ url: line.url, space: await running.newSpace() });
  await device.record(recordings);
  line.isUp = true;
  const secs = await measureSecs(() => device.settle());
  await device.close();
  return toMs(secs);
}

/** Sends the recordings to a server that only stores them, in pushes of `pushSize`. */
async function storeOverHttp(url: string, recordings: Recording[]): Promise<number> {
  const batches = batchesOf(recordings, pushSize);
  return toMs(
    await measureSecs(async () => {
      for (const batch of batches) await postJson(`${url}/store`, batch);
    }),
  );
}
