/** The time and the bytes in which a new device gets an account. */
import { measureSecs, takeTurns, type Sample } from '../../measure.ts';
import { gemba } from '../devices/gemba.ts';
import { gembaName, syncSubjects, type SyncSubject } from '../devices/all.ts';
import { postJson, startPeerProcess } from '../devices/peer-process.ts';
import type { Work } from '../report/figures.ts';
import type { Document, Documents } from '../work.ts';
import { accountSize, fillAll } from './accounts.ts';
import { freeLine, slowLine, withLined, type LinedContender } from './lines.ts';
import { inMemory, postgresSync, workOf, type PeersSetting, type Subject } from './work-setting.ts';

const limitName = 'fetch, parse and put into a Map';

export async function measureFirstSync(setting: PeersSetting): Promise<Work[]> {
  const { smoke, dataDir, postgresUrl } = setting;
  const subjects: Record<string, SyncSubject> = await syncSubjects({ ...setting, pullsOnly: true, compressed: true });
  if (postgresUrl) {
    const contender = gemba(await postgresUrl());
    subjects[`${gembaName} on PostgreSQL`] = { role: 'gemba', durability: postgresSync, contender };
  }
  return withLined(subjects, dataDir, async (lined) => {
    const { documents, spaces } = await fillAll(lined, accountSize(smoke));
    const limit = await startPeerProcess('limit', dataDir('limit'));
    await postJson(`${limit.url}/hold`, [...documents.maps, ...documents.runs]);
    const bytes = new Map<string, number[]>();
    const samples = firstSyncSamples({ lined, spaces, documents, bytes });
    const near = await takeTurns<string>(
      { ...samples, [limitName]: () => fetchIntoMap(limit.url) },
      { rounds: smoke ? 1 : 3 },
    );
    await limit.stop();
    const bytesNear = Object.fromEntries([...bytes].map(([name, counts]) => [name, counts.slice(1)]));
    for (const { line } of lined.values()) Object.assign(line, slowLine);
    const slow = await takeTurns<string>(samples, { rounds: smoke ? 1 : 2 });
    for (const { line } of lined.values()) Object.assign(line, freeLine);

    const account = `${documents.maps.length} maps and ${documents.runs.length} runs`;
    const shared = { better: 'lower' as const, base: gembaName, subjects };
    const limits: Record<string, Subject> = { [limitName]: { role: 'limit', durability: inMemory } };
    return [
      workOf({
        ...shared,
        id: 'first-sync',
        title: `First sync of ${account}`,
        unit: 'ms',
        samples: near,
        about: 'A new device in Node with memory storage opens and gets the account whole, until it can show it.',
        subjects: { ...subjects, ...limits },
      }),
      workOf({
        ...shared,
        id: 'first-sync-slow',
        title: `First sync of ${account} on a line of 80 ms and 500 kB/s`,
        unit: 'ms',
        about: 'The work of the table before, over a line.',
        samples: slow,
      }),
      workOf({
        ...shared,
        id: 'first-sync-bytes',
        title: `Bytes of the first sync of ${account}`,
        unit: 'kB',
        samples: bytesNear,
        about: 'Both ways together, as they passed the socket, with the headers.',
      }),
    ];
  });
}

interface FirstSyncs {
  lined: Map<string, LinedContender>;
  spaces: Map<string, string>;
  documents: Documents;
  /** Receives the kB of each sync. */
  bytes: Map<string, number[]>;
}

function firstSyncSamples({ lined, spaces, documents, bytes }: FirstSyncs): Record<string, Sample> {
  const sample =
    (name: string, { running, line }: LinedContender) =>
    async () => {
      const before = line.bytesUp + line.bytesDown;
      const begun = performance.now();
      const device = await running.openDevice({ url: line.url, space: spaces.get(name) ?? '' });
      await device.settle();
      const found = await device.count();
      const ms = performance.now() - begun;
      await device.close();
      if (found < documents.runs.length) throw new Error(`${name}: ${found} runs`);
      bytes.set(name, [...(bytes.get(name) ?? []), (line.bytesUp + line.bytesDown - before) / 1000]);
      return ms;
    };
  return Object.fromEntries([...lined].map(([name, one]) => [name, sample(name, one)]));
}

async function fetchIntoMap(url: string): Promise<number> {
  const secs = await measureSecs(async () => {
    const documents = (await (await fetch(`${url}/get`)).json()) as Document[];
    return new Map(documents.map((document) => [document.id, document]));
  });
  return secs * 1000;
}
