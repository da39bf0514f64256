/** A device whose process is killed with `kill -9` in the middle of edits, cycles and undos, and started again on its journal or its SQLite file. */
import { expect, onTestFinished, test } from 'vitest';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { actUntilKilled, fitting } from '../../device/acts-until-killed.ts';
import { newFolder } from '../../device/folder-journal.ts';
import type { ModelStep, Shown } from '../../device/recorder-model.ts';
import { tappingProcess, type Place, type TappingProcess } from '../../device/sqlite/tapping-process.ts';
import { restClient, testServer } from '../../device/test-server.ts';
import { randomWithPrintedSeed } from '../../random.ts';
import { testMsMax } from '../../timeouts.ts';

const kills = Number(process.env['GEMBA_PROCESS_KILLS'] ?? 10);
const sqliteKills = Math.ceil(kills / 4);
const offlineUrl = 'http://127.0.0.1:1';

test(
  `[RECORDER-38] every act that a process acknowledged is there once and in order when it was killed, ${kills} times`,
  () => expectActsKept({ folder: newFolder() }, kills),
  testMsMax,
);

test(
  `[STORAGE-91] every act that a process on an SQLite file acknowledged is there once and in order when it was killed, ${sqliteKills} times`,
  () => expectActsKept({ folder: newFolder(), storage: 'sqlite' }, sqliteKills),
  testMsMax,
);

async function expectActsKept(place: Place, killsMax: number): Promise<void> {
  const random = randomWithPrintedSeed();
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const first = tappingProcess({ place, url: offlineUrl, token });
  const mapId = await first.ask<string>('map');
  await first.kill();
  const open = async (url = offlineUrl): Promise<TappingProcess> => {
    const device = tappingProcess({ place, url, token });
    const ask: TappingProcess['ask'] = (what, order) => device.ask(what, { mapId, ...order });
    return { ...device, ask, perform: (act) => ask('act', { act }), shown: () => ask<Shown>('shown') };
  };
  const { last, states } = await actUntilKilled({ open, random, kills: killsMax });
  await last.kill();

  const online = await open(server.url);
  fitting(await online.shown(), states, []);
  await online.ask('finish');
  await online.ask('sync');
  const { runs } = await online.ask<Shown>('shown');
  await online.kill();
  expect(await runsOnServer(restClient(server.url, token), mapId)).toEqual(runs);
  const { finished, under } = states[0]!;
  const cycles = [
    ...finished.map((cycle) => cycle.under.steps),
    ...(under && under.steps.length > 0 ? [under.steps] : []),
  ];
  expect(runs).toEqual(cycles);
  expect(runs.length).toBeGreaterThan(killsMax / 10);
}

async function runsOnServer(rest: ReturnType<typeof restClient>, mapId: string): Promise<ModelStep[][]> {
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const docs = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  return docs.map(({ steps }) => steps.map(({ stage_name, notes }): ModelStep => [stage_name, notes]));
}
