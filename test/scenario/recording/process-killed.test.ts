/** A device whose process is killed with `kill -9` in the middle of edits, cycles and undos, and started again on its journal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import { actUntilKilled, fitting, type KillableDevice } from '../../device/acts-until-killed.ts';
import { newFolder } from '../../device/folder-journal.ts';
import type { Act, ModelStep, Shown } from '../../device/recorder-model.ts';
import { restClient, testServer } from '../../device/test-server.ts';
import { programArgs } from '../../programs.ts';
import { randomWithPrintedSeed } from '../../random.ts';
import { testMsMax } from '../../timeouts.ts';

const kills = Number(process.env['GEMBA_PROCESS_KILLS'] ?? 15);
const offlineUrl = 'http://127.0.0.1:1';

interface TappingProcess extends KillableDevice {
  ask<Answer>(what: string, order?: { mapId?: string; act?: Act }): Promise<Answer>;
}

function tappingProcess(folder: string, url: string, token: string): TappingProcess {
  const child = spawn(
    process.execPath,
    [...programArgs('test/scenario/recording/tapping-process'), folder, url, token],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting: { resolve(answer: never): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.resolve((JSON.parse(line) as { answer: never }).answer);
  });
  void ended.then(() => waiting.forEach(({ reject }) => reject(new Error('the process ended'))));
  child.stdin.on('error', () => undefined);
  const ask: TappingProcess['ask'] = (what, order = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin.write(`${JSON.stringify({ what, ...order })}\n`);
    });
  return {
    ask,
    perform: (act) => ask('act', { act }),
    shown: () => ask('shown'),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test(
  `[RECORDER-38] every act that a process acknowledged is there once and in order when it was killed, ${kills} times`,
  async () => {
    const random = randomWithPrintedSeed();
    const server = await testServer();
    onTestFinished(() => server.remove());
    const token = await server.newAccount();
    const folder = newFolder();
    const first = tappingProcess(folder, offlineUrl, token);
    const mapId = await first.ask<string>('map');
    await first.kill();
    const open = async (url = offlineUrl): Promise<TappingProcess> => {
      const device = tappingProcess(folder, url, token);
      const ask: TappingProcess['ask'] = (what, order) => device.ask(what, { mapId, ...order });
      return { ...device, ask, perform: (act) => ask('act', { act }), shown: () => ask<Shown>('shown') };
    };
    const { last, states } = await actUntilKilled({ open, random, kills });
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
    expect(runs.length).toBeGreaterThan(kills / 10);
  },
  testMsMax,
);

async function runsOnServer(rest: ReturnType<typeof restClient>, mapId: string): Promise<ModelStep[][]> {
  const runs = await rest.list<RunRecord>(`/maps/${mapId}/runs`);
  const docs = await Promise.all(runs.toReversed().map(({ id }) => rest.get<RunDoc>(`/runs/${id}`)));
  return docs.map(({ steps }) => steps.map(({ stage_name, notes }): ModelStep => [stage_name, notes]));
}
