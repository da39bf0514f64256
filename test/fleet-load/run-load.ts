/** Runs the whole load: pairs the devices, plays their day, raises the rate, and checks what the servers hold. */
import type { PullResponse } from '../../shared/protocol/pull.ts';
import { randomOf } from '../random.ts';
import { phaseAt, phases, planDay, type Phase } from './day-plan.ts';
import { DeviceGroup, wait } from './devices/device-group.ts';
import { HttpClient } from './devices/http-client.ts';
import type { LoadAccount } from './devices/load-account.ts';
import type { LoadDevice } from './devices/load-device.ts';
import { Meter, type Part } from './measure/meter.ts';
import type { LoadOptions } from './options.ts';
import { pairDevices } from './devices/pair-devices.ts';
import { newRunName } from './devices/recordings.ts';
import { runStage, stagesOf, whatGave } from './rising-rate.ts';
import type { LoadServers } from './servers.ts';
import { storedProblems, type RecordedCounts, type StoredRun } from './devices/stored-once.ts';

export interface LoadResult {
  day: Part[];
  stages: { part: Part; pushesPerSec: number; gave: string | undefined }[];
  pairingSecs: number;
  recordings: number;
  stored: number;
  /** Names each recording that is lost, doubled, changed, out of order or stored without being sent, and each refusal. */
  problems: string[];
}

const recordingsPerDevice = 3;
const socketsMax = 128;
const tickMs = 5;
/** Reading the memory of PostgreSQL keeps the driver busy for some ten milliseconds. */
const memoryReadMs = 10_000;
const lostAnswersShare = { day: 1 / 200, smoke: 1 / 10 };

export async function runLoad(
  { devices, minutes, seed, smoke }: LoadOptions,
  { servers, say }: { servers: LoadServers; say: (line: string) => void },
): Promise<LoadResult> {
  const clients = servers.urls.map((url) => new HttpClient(url, { socketsMax }));
  const meter = new Meter({ serverPids: servers.pids, postgresPid: servers.postgresPid });
  const memoryTimer = setInterval(() => meter.readMemory(), memoryReadMs);
  let group: DeviceGroup | undefined;
  try {
    const pairingAt = performance.now();
    const paired = await pairDevices({ clients, adminToken: servers.adminToken, devices, say });
    const pairingSecs = (performance.now() - pairingAt) / 1000;
    say(`paired ${devices} devices in ${pairingSecs.toFixed(0)} s`);
    const run = newRunName();
    const random = randomOf(seed + 1);
    const share = smoke ? lostAnswersShare.smoke : lostAnswersShare.day;
    group = new DeviceGroup({ paired, clients, meter, run, random, lostAnswersShare: share });
    const dayMs = minutes * 60_000;
    await playDay(group, { acts: planDay({ devices, dayMs, recordingsPerDevice, seed }), dayMs, meter, say });
    const day = meter.parts.filter(({ name }) => phases.includes(name as Phase));
    const stages = await raiseRate(group, { smoke, meter, random, say });
    say('checking what is stored');
    const { stored, problems } = await checkStored(group.devices, { clients, run });
    const recordings = group.devices.reduce((sum, { recorded }) => sum + recorded, 0);
    return { day, stages, pairingSecs, recordings, stored, problems: [...group.problems, ...problems] };
  } finally {
    clearInterval(memoryTimer);
    group?.close();
    for (const client of clients) client.close();
  }
}

interface DaySetting {
  acts: ReturnType<typeof planDay>;
  dayMs: number;
  meter: Meter;
  say: (line: string) => void;
}

async function playDay(group: DeviceGroup, { acts, dayMs, meter, say }: DaySetting): Promise<void> {
  const startedAt = performance.now();
  let phase: Phase | undefined;
  for (let next = 0; next < acts.length;) {
    const nowMs = performance.now() - startedAt;
    const current = phaseAt(nowMs, dayMs);
    if (current !== phase) {
      say(current);
      meter.begin(current);
      phase = current;
    }
    for (; next < acts.length && acts[next]!.atMs <= nowMs; next++) {
      const act = acts[next]!;
      group.act(act, startedAt + act.atMs);
    }
    await wait(tickMs);
  }
  await group.drain();
  meter.end();
}

/** Ends with the first stage in which something gives. */
async function raiseRate(
  group: DeviceGroup,
  { smoke, meter, random, say }: { smoke: boolean; meter: Meter; random: () => number; say: (line: string) => void },
): Promise<LoadResult['stages']> {
  const stages: LoadResult['stages'] = [];
  for (const device of group.devices) group.connect(device);
  for (const stage of stagesOf({ smoke })) {
    say(`${stage.pushesPerSec} pushes a second`);
    meter.begin(`stage ${stages.length + 1}`);
    await runStage(stage, { devices: group.devices, random, wait });
    const part = meter.end();
    if (!part) throw new Error('the meter counts no stage');
    const gave = whatGave(part.tally);
    stages.push({ part, pushesPerSec: stage.pushesPerSec, gave });
    if (gave !== undefined && !smoke) break;
  }
  meter.begin('drain');
  await group.drain();
  meter.end();
  return stages;
}

const pageLimit = 1_000;
const pagesMax = 10_000;
const pullTriesMax = 10;

/** Pulls each account anew from the start, as a new phone of it would. */
async function checkStored(
  devices: readonly LoadDevice[],
  { clients, run }: { clients: readonly HttpClient[]; run: string },
): Promise<{ stored: number; problems: string[] }> {
  const byAccount = new Map<LoadAccount, LoadDevice[]>();
  for (const device of devices) byAccount.set(device.account, [...(byAccount.get(device.account) ?? []), device]);
  const problems: string[] = [];
  let stored = 0;
  for (const [, members] of byAccount) {
    const runs = await pullRuns(clients[0]!, members[0]!);
    stored += runs.length;
    const recorded: RecordedCounts = new Map(members.map((device) => [device.number, device.recorded]));
    problems.push(...storedProblems(run, recorded, runs));
  }
  return { stored, problems };
}

async function pullRuns(client: HttpClient, { headers }: LoadDevice): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  let cursor = '';
  for (let pages = 0; pages < pagesMax; pages++) {
    const path = `/api/v1/sync/pull?kinds=run&limit=${pageLimit}&cursor=${cursor}`;
    const page = await pullPage(client, { path, headers });
    for (const change of page.changes) {
      if (change.kind !== 'run') continue;
      const { recording_session_id = `run ${change.id}`, steps = [] } = change.doc ?? {};
      runs.push({ recording_session_id, steps, version: change.version });
    }
    cursor = page.cursor;
    if (!page.has_more) return runs;
  }
  throw new Error(`an account has more than ${pagesMax} pages of runs`);
}

/** The check waits for servers that are still busy. */
async function pullPage(
  client: HttpClient,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<PullResponse> {
  for (let tries = 1; ; tries++) {
    const answer = await client.send({ method: 'GET', path, headers });
    if (answer.ok) return answer.body as PullResponse;
    if (tries >= pullTriesMax) throw new Error(`the check cannot pull: ${answer.code}`);
    await wait(Math.max(answer.retryAfterMs, 1_000));
  }
}
