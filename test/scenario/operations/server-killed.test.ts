/**
 * The real process is killed at random moments while devices push. Acknowledged work must be there after each restart,
 * and in the end each recording must be there once and in its device's order. `npm run soak -- --kills 1000` kills more often.
 */
import { expect, onTestFinished, test } from 'vitest';
import { Api, steps, temporaryFolder } from '../../contract/fixture.ts';
import { randomWithPrintedSeed, randomBelow, type Random } from '../../random.ts';
import { startServerProcess, type ServerProcess } from '../../contract/server-process.ts';
import { testMsMax } from '../../timeouts.ts';
import { pullAll, SyncClient, type SentMutation } from '../../contract/sync-client.ts';

const kills = Number(process.env['GEMBA_SERVER_KILLS'] ?? 20);
/** Each restart is followed by a reading of everything, so a new data folder keeps this short. */
const killsPerFolder = 50;
const killMsMax = 10_000;
const devices = 3;
const batchMax = 6;
const killAfterMsMax = 150;

interface RunningProcess extends ServerProcess {
  url: string;
}

async function startServer(dataDir: string): Promise<RunningProcess> {
  const server = startServerProcess({ DATA_DIR: dataDir, GEMBA_RATE_LIMIT: '1000000/60' });
  const [, url] = await server.until(/listening on (\S+)\n/);
  return { ...server, url: url! };
}

/** A device that sends its outbox until it is acknowledged. */
class Device {
  readonly client: SyncClient;
  readonly mapId: string;
  readonly name: string;
  readonly sent: string[] = [];
  readonly acknowledged = new Set<string>();
  isPushing = false;
  #outbox: SentMutation[] = [];
  #acked = 0;

  constructor(given: { api: Api; mapId: string; name: string }) {
    this.client = new SyncClient(given.api);
    this.mapId = given.mapId;
    this.name = given.name;
  }

  record(): void {
    const recording_session_id = `${this.name}-${this.sent.length + 1}`;
    this.sent.push(recording_session_id);
    const args = { map_id: this.mapId, recording_session_id, steps: steps('A', 'B') };
    this.#outbox.push(this.client.next('upload_recording', args));
  }

  /** Returns false if the server went away meanwhile. */
  async push(api: Api): Promise<boolean> {
    this.isPushing = true;
    try {
      const { status, body } = await this.client.push(this.#outbox, { api, acked: this.#acked });
      expect(status).toBe(200);
      expect(body.results.map(({ status: its }: { status: string }) => its)).toEqual(this.#outbox.map(() => 'applied'));
      for (const { result } of body.results) this.acknowledged.add(result.recording_session_id);
      this.#acked = body.last_seq;
      this.#outbox = [];
      return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return false;
    } finally {
      this.isPushing = false;
    }
  }
}

async function readSessions(api: Api, mapId: string): Promise<string[]> {
  const { changes } = await pullAll(new SyncClient(api), { kinds: 'run' });
  const runs = changes.map(({ doc }) => doc).filter(({ map_id }) => map_id === mapId);
  expect(runs.map(({ number }) => number)).toEqual(runs.map((_, index) => index + 1));
  return runs.map(({ recording_session_id }) => recording_session_id);
}

interface Counts {
  midPush: number;
  acknowledged: number;
}

async function killOften(random: Random, count: number): Promise<Counts> {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  let server = await startServer(dataDir);
  const [key] = await server.until(/gk_\S{64}/);
  const apiAt = ({ url }: RunningProcess) => new Api({ url, key, accountId: '' });
  const fleet: Device[] = [];
  for (let index = 0; index < devices; index++) {
    const { id } = await apiAt(server).createMap();
    fleet.push(new Device({ api: apiAt(server), mapId: id, name: `device-${index}` }));
  }

  let midPush = 0;
  for (let killed = 0; killed < count; killed++) {
    const api = apiAt(server);
    const working = fleet.map(async (device) => {
      do for (let left = randomBelow(random, batchMax); left >= 0; left--) device.record();
      while (await device.push(api));
    });
    const { child, ended } = server;
    setTimeout(
      () => {
        if (fleet.some(({ isPushing }) => isPushing)) midPush++;
        child.kill('SIGKILL');
      },
      randomBelow(random, killAfterMsMax),
    );
    await ended;
    await Promise.all(working);
    server = await startServer(dataDir);
    for (const device of fleet) {
      const held = new Set(await readSessions(apiAt(server), device.mapId));
      expect([...device.acknowledged].filter((session) => !held.has(session))).toEqual([]);
    }
  }

  for (const device of fleet) {
    expect(await device.push(apiAt(server))).toBe(true);
    expect(await readSessions(apiAt(server), device.mapId)).toEqual(device.sent);
  }
  server.child.kill('SIGKILL');
  await server.ended;
  return { midPush, acknowledged: fleet.reduce((sum, device) => sum + device.acknowledged.size, 0) };
}

test(
  `[SERVER-7] no acknowledged recording is lost or doubled when the process is killed ${kills} times`,
  async () => {
    const random = randomWithPrintedSeed();
    const all: Counts = { midPush: 0, acknowledged: 0 };
    for (let left = kills; left > 0; left -= killsPerFolder) {
      const { midPush, acknowledged } = await killOften(random, Math.min(left, killsPerFolder));
      all.midPush += midPush;
      all.acknowledged += acknowledged;
    }
    console.log(`${kills} kills, ${all.midPush} in mid-push, ${all.acknowledged} recordings`);
    expect(all.midPush).toBe(kills);
    expect(all.acknowledged).toBeGreaterThan(kills);
  },
  testMsMax + kills * killMsMax,
);
