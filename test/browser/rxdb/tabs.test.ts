/** Tabs that share an RxDatabase, whose collections follow the engine of each. */
import { onTestFinished, expect, test } from 'vitest';
import { sharedBrowser } from '../app/shared-browser.ts';
import { buildBundle } from '../bundle.ts';
import { pageVerb } from '../in-page.ts';
import { openSite } from '../page.ts';
import { createTabs } from '../tabs.ts';
import { testServer } from '../../device/test-server.ts';

async function openDevice() {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const site = await openSite(await buildBundle('rxdb/entry.ts'), server.url);
  onTestFinished(() => site.close());
  const context = await sharedBrowser.newContext({});
  const tabs = await createTabs({ context, site, token: await server.newAccount() });
  const open = async (tab: string) => {
    const page = await tabs.open(tab);
    await openApp(page);
    return page;
  };
  return { tabs, open };
}

const openApp = pageVerb(() => window.openApp());
const leads = pageVerb(() => window.app.database.isLeader());
const untilLeads = pageVerb(() => window.app.database.waitForLeadership());
const errorsOf = pageVerb(() => window.app.errors.map(({ message }) => message));
const writtenIn = pageVerb(() => window.app.written.splice(0));

const record = pageVerb(async (mapId: string, session: string) => {
  const steps = [{ stage_name: 'Load', order: 1, duration_secs: 4 }];
  const recording = { recording_session_id: session, steps };
  return (await window.gemba.importRecording({ mapId, recording })).run_id;
});

/** Resolves to the sessions of the runs in the collection once all of this number are on the server. */
const untilSent = pageVerb(async (count: number) => {
  const found = await window.eventually(
    window.app.database.runs.find({ sort: [{ created_at: 'asc' }] }).$,
    (runs) => runs.length === count && runs.every(({ pending }) => !pending),
  );
  return found.map(({ recording_session_id }) => recording_session_id).toSorted();
});

/** Makes the page believe that it went to the background or came back, since Playwright shows each page. */
const setVisible = pageVerb((isVisible: boolean) => {
  Object.defineProperty(document, 'visibilityState', { value: isVisible ? 'visible' : 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
});

test('[BRIDGE-20] tabs that share a database have each record once, and another goes on when the one that writes crashes or closes', async () => {
  const { tabs, open } = await openDevice();
  const a = await open('a');
  await untilLeads(a);
  const b = await open('b');
  const c = await open('c');
  expect([await leads(b), await leads(c)]).toEqual([false, false]);
  const mapId = await createMap(b);
  await record(a, mapId, 'first');
  await record(b, mapId, 'second');
  for (const tab of [a, b, c]) expect(await untilSent(tab, 2)).toEqual(['first', 'second']);
  expect([await writtenIn(b), await writtenIn(c)]).toEqual([[], []]);

  await setVisible(b, false);
  await setVisible(b, true);
  const many = Array.from({ length: 10 }, (_, index) => `both-${index}`);
  for (const session of many) await record(b, mapId, session);
  const both = ['first', 'second', ...many].toSorted();
  for (const tab of [a, b, c]) expect(await untilSent(tab, 12)).toEqual(both);
  expect([await errorsOf(a), await errorsOf(b), await errorsOf(c)]).toEqual([[], [], []]);
  await setVisible(b, false);

  const late = record(b, mapId, 'while-it-crashes');
  await tabs.crash(a);
  await late;
  for (const tab of [b, c]) expect(await untilSent(tab, 13)).toEqual([...both, 'while-it-crashes'].toSorted());

  const leader = (await leads(b)) ? b : c;
  const other = leader === b ? c : b;
  await leader.close();
  const last = await record(other, mapId, 'last');
  expect(await untilSent(other, 14)).toEqual([...both, 'last', 'while-it-crashes'].toSorted());
  await deleteRun(other, last);
  expect(await untilSent(other, 13)).not.toContain('last');
  expect(await errorsOf(other)).toEqual([]);
  expect(await tabs.complaints()).toEqual([]);
});

const createMap = pageVerb(async () => (await window.gemba.createMap({ name: 'Press line' })).map_id);
const deleteRun = pageVerb((runId: number) => window.gemba.deleteRun(runId));
