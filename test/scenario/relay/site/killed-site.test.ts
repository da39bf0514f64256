/** Recordings of a real process go by two carriers, while carriers and the server are killed at any moment. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RecordingBody } from '../../../../shared/schema/recording.ts';
import { startServerProcess, type ServerProcess } from '../../../contract/server-process.ts';
import { accountMaker, operatorToken } from '../../../device/test-server.ts';
import { findFreePort } from '../../../free-port.ts';
import { randomBelow, randomWithPrintedSeed } from '../../../random.ts';
import { databaseFolders } from '../../operations/database-folders.ts';
import { connect, startCarrier, type CarrierProcess } from './carrier-process.ts';
import { newWatch } from '../watches.ts';

/** 20 recordings with 124 steps. */
const sample = readFileSync(new URL('../../../fixtures/receipt-sample.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordingBody);

/** A kill comes within so many milliseconds of the meeting's begin, most meetings being over in half of them. */
const killWithinMs = 120;
const meetingMsMax = 5_000;
const handOvers = Number(process.env['GEMBA_HAND_OVERS'] ?? 6);

async function startServer(dataDir: string, port: number): Promise<ServerProcess> {
  const limits = { GEMBA_RATE_LIMIT: '1000000/60' };
  const server = startServerProcess({
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    GEMBA_ADMIN_TOKEN: operatorToken,
    ...limits,
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  return server;
}

async function killServer({ child }: ServerProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test(`[RELAY-63] ${handOvers} hand-overs by two carriers, with carriers and server killed at any moment, lose and double nothing`, async () => {
  const random = randomWithPrintedSeed();
  const { live, root } = databaseFolders();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let server = await startServer(live, port);
  const newAccount = accountMaker(url);
  const watch = await newWatch({ url, newAccount } as Parameters<typeof newWatch>[0]);
  const token = await newAccount();
  const start = (index: number) => startCarrier({ to: url, token, folder: join(root, `carried-${index}`) });
  const carriers: CarrierProcess[] = [await start(0), await start(1)];
  onTestFinished(() => Promise.all(carriers.map((carrier) => carrier.kill())).then(() => undefined));
  const kills = { carrier: 0, server: 0 };
  let broken = 0;
  const sessions: string[] = [];
  const meet = async (index: number) => {
    const meeting = connect(carriers[index]!.port).then((channel) => watch.handOver.handOver(channel));
    const ended = await Promise.race([
      meeting.then(
        ({ ended: why }) => why,
        () => 'lost',
      ),
      delay(meetingMsMax),
    ]);
    if (ended !== 'done') broken++;
  };
  for (let made = 0; made < handOvers; made++) {
    const recording = sample[made % sample.length]!;
    const recording_session_id = `${recording.recording_session_id}:${made}`;
    await watch.watch.importRecording({ mapId: watch.mapId, recording: { ...recording, recording_session_id } });
    sessions.push(recording_session_id);
    const index = randomBelow(random, 2);
    const victim = (['carrier', 'server', undefined] as const)[randomBelow(random, 3)];
    const meeting = meet(index);
    await Promise.race([meeting, delay(randomBelow(random, killWithinMs))]);
    if (victim === 'carrier') await carriers[index]!.kill();
    if (victim === 'server') await killServer(server);
    await meeting;
    if (victim) kills[victim]++;
    if (victim === 'carrier') carriers[index] = await start(index);
    if (victim === 'server') server = await startServer(live, port);
  }
  const custodyOf = async (session: string) => (await watch.custody(session)).custody;
  for (let meetings = 0; meetings < 6; meetings++) await meet(meetings % 2);
  const custodies = await Promise.all(sessions.map(custodyOf));
  console.log({ handOvers, kills, broken, safe: custodies.filter((custody) => custody === 'server').length });
  expect(new Set(custodies)).toEqual(new Set(['server']));
  const runs = await watch.rest.list<{ recording_session_id: string; number: number }>(`/maps/${watch.mapId}/runs`);
  // The list is by start, and the recordings have theirs of 2011.
  const inOrder = runs.toSorted((a, b) => a.number - b.number);
  expect(inOrder.map((run) => run.recording_session_id)).toEqual(sessions);
});
