/** Recordings a second of one server process, from devices that push 20 at a time. */
import { measureSecs, takeTurns, type Sample } from '../../measure.ts';
import { BenchDevice } from '../../recordings.ts';
import { pushOver, startServerProcess } from '../../server-process.ts';
import { postJson, startPeerProcess } from '../devices/peer-process.ts';
import type { Work } from '../report/figures.ts';
import { makeRecordings, stepCount } from '../work.ts';
import { fullSync, postgresSync, workOf, type PeersSetting, type Subject } from './work-setting.ts';

const recordingsPerPush = 20;
const devices = 8;
const base = 'Gemba';

interface Target extends Subject {
  /** Sends so many pushes of one device of its own. */
  push(pushes: number): Promise<void>;
  stop(): Promise<void>;
}

export async function measurePushes(setting: PeersSetting): Promise<Work[]> {
  const { smoke, dataDir, postgresUrl } = setting;
  const pushes = smoke ? 1 : 10;
  const targets: Record<string, Target> = { [base]: await gembaTarget(dataDir('push')) };
  targets['the same bytes by HTTP'] = await limitTarget(dataDir('push'));
  if (postgresUrl) {
    targets['Gemba on PostgreSQL'] = await gembaTarget(dataDir('push'), await postgresUrl());
    targets['the same bytes by HTTP, PostgreSQL'] = await limitTarget(dataDir('push'), await postgresUrl());
  }
  const sample =
    ({ push }: Target): Sample =>
    async () => {
      const secs = await measureSecs(() => Promise.all(Array.from({ length: devices }, () => push(pushes))));
      return (devices * pushes * recordingsPerPush) / secs;
    };
  try {
    const named = Object.entries(targets);
    const samples = await takeTurns<string>(Object.fromEntries(named.map(([name, one]) => [name, sample(one)])), {
      rounds: smoke ? 1 : 5,
    });
    const about = `${devices} devices at once, each on an account of its own, push ${recordingsPerPush} recordings of ${stepCount} steps at a time. The limit parses the bodies and stores a row for each recording.`;
    return [
      workOf<string>({
        id: 'pushes',
        title: `Pushes of ${recordingsPerPush} recordings to one process`,
        about,
        unit: 'recordings/s',
        better: 'higher',
        base,
        samples,
        subjects: targets,
      }),
    ];
  } finally {
    for (const target of Object.values(targets)) await target.stop();
  }
}

async function gembaTarget(dataDir: string, databaseUrl?: string): Promise<Target> {
  const server = await startServerProcess({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
  return {
    role: 'gemba',
    durability: databaseUrl ? postgresSync : fullSync,
    async push(pushes) {
      const headers = await server.newAccount();
      const device = new BenchDevice({ stepCount });
      await pushOver(server.url, headers, device.mapBatch());
      for (let sent = 0; sent < pushes; sent += 1) {
        await pushOver(server.url, headers, device.recordings(recordingsPerPush));
      }
    },
    stop: () => server.stop(),
  };
}

async function limitTarget(dataDir: string, databaseUrl?: string): Promise<Target> {
  const server = await startPeerProcess('limit', dataDir, databaseUrl);
  return {
    role: 'limit',
    durability: databaseUrl ? postgresSync : fullSync,
    async push(pushes) {
      for (let sent = 0; sent < pushes; sent += 1) {
        await postJson(`${server.url}/store`, makeRecordings(recordingsPerPush));
      }
    },
    stop: () => server.stop(),
  };
}
