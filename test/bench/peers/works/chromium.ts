/** The time in which a new device in Chromium gets an account into its IndexedDB. */
import type { Page } from 'playwright-core';
import { inPage } from '../../../browser/in-page.ts';
import { takeTurns, type Sample } from '../../measure.ts';
import { openPages } from '../chromium/pages.ts';
import { syncSubjects, gembaName, type SyncSubject } from '../devices/all.ts';
import { postJson, startPeerProcess } from '../devices/peer-process.ts';
import type { Work } from '../report/figures.ts';
import { accountSize, fillAll } from './accounts.ts';
import { withLined } from './lines.ts';
import { workOf, type PeersSetting, type Subject } from './work-setting.ts';

const strict = 'IndexedDB, strict';
const relaxed = 'IndexedDB, relaxed';
const limitName = 'fetch and Dexie bulkPut';

export async function measureChromium(setting: PeersSetting): Promise<Work[]> {
  const { smoke, dataDir } = setting;
  if (!setting.withPeers) return [];
  const all = await syncSubjects({ ...setting, pullsOnly: true });
  const chosen: Record<string, SyncSubject> = Object.fromEntries(
    [gembaName, 'RxDB', 'PouchDB'].flatMap((name) => (all[name] ? [[name, all[name]]] : [])),
  );
  const pages = await openPages(dataDir('chromium'));
  try {
    return await withLined(chosen, dataDir, async (lined) => {
      const size = accountSize(smoke);
      const { documents, spaces } = await fillAll(lined, size);
      const limit = await startPeerProcess('limit', dataDir('limit'));
      await postJson(`${limit.url}/hold?space=account`, [...documents.maps, ...documents.runs]);
      const url = (name: string) => lined.get(name)?.running.url ?? '';
      const space = (name: string) => spaces.get(name) ?? '';
      const gembaPage = await pages.gemba(url(gembaName));
      const runs = documents.runs.length;
      const samples = await takeTurns<string>(
        {
          [gembaName]: () => inPage(gembaPage, syncEngine, { token: space(gembaName), ...size }),
          RxDB: peerSample(await pages.peer(url('RxDB')), { name: 'rxdb', space: space('RxDB'), runs }),
          PouchDB: peerSample(await pages.peer(url('PouchDB')), { name: 'pouchdb', space: space('PouchDB'), runs }),
          [limitName]: peerSample(await pages.peer(limit.url), { name: 'dexie', space: 'account', runs }),
        },
        { rounds: smoke ? 1 : 3 },
      );
      await limit.stop();
      const subjects: Record<string, Subject> = {
        [gembaName]: { role: 'gemba', durability: strict },
        RxDB: { role: 'peer', durability: relaxed },
        PouchDB: { role: 'peer', durability: relaxed },
        [limitName]: { role: 'limit', durability: strict },
      };
      return [
        workOf<string>({
          id: 'first-sync-chromium',
          title: `First sync of ${documents.maps.length} maps and ${runs} runs into Chromium’s IndexedDB`,
          about:
            'A new device in a page opens and gets the account whole, through a site that passes requests on. Here the durability is that of the device: with `strict` Chromium writes a transaction to the disk before it reports it, with `relaxed`, the default of the peers, the system does so later.',
          unit: 'ms',
          better: 'lower',
          base: gembaName,
          samples,
          subjects,
        }),
      ];
    });
  } finally {
    await pages.close();
  }
}

interface PeerCase {
  name: 'rxdb' | 'pouchdb' | 'dexie';
  space: string;
  runs: number;
}

function peerSample(page: Page, { name, space, runs }: PeerCase): Sample {
  return async () => {
    const { ms, count } = await inPage(page, syncPeer, { name, space });
    if (count < runs) throw new Error(`${name}: ${count} documents`);
    return ms;
  };
}

async function syncPeer({ name, space }: Omit<PeerCase, 'runs'>): Promise<{ ms: number; count: number }> {
  const begun = performance.now();
  const count = await window.peerSyncs[name](space);
  return { ms: performance.now() - begun, count };
}

async function syncEngine(given: { token: string; maps: number; runsPerMap: number }): Promise<number> {
  const { token, maps, runsPerMap } = given;
  const begun = performance.now();
  const gemba = await window.openGemba({ name: `first${crypto.randomUUID()}`, url: location.href, token });
  const shown = await window.eventually(gemba.maps$, ({ length }) => length === maps);
  await window.eventually(gemba.status$, ({ phase, last_synced_at }) => phase === 'idle' && last_synced_at !== null);
  for (const { id } of shown) await window.eventually(gemba.runs$(id), ({ length }) => length === runsPerMap);
  const ms = performance.now() - begun;
  await gemba.close();
  return ms;
}
