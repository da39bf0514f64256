/** Expectations when every device is online and idle. */
import { expect } from 'vitest';
import type { PullResponse, RecordChange } from '../../shared/protocol/pull.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { current } from '../device/devices.ts';
import { noFaults } from './faults.ts';
import type { SimDevice } from './sim-device.ts';
import { finish } from './worker.ts';

/** Every device must be idle after this many rounds of syncing. */
const roundsMax = 10;

export async function bringToRest(devices: SimDevice[]): Promise<void> {
  for (const device of devices) {
    await device.open(noFaults());
    await finish(device, () => 0);
  }
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    for (const device of devices) await device.sync();
    const left = await Promise.all(devices.map((device) => device.attempt(({ status$ }) => current(status$))));
    if (left.every((status) => status?.pending === 0) && rounds > 0) return;
  }
  throw new Error(`the outboxes did not drain in ${roundsMax} rounds`);
}

/** Invariants 2, 5 and 6 of ARCHITECTURE.md: nothing is lost or doubled, and all devices equal the server. */
export async function expectNothingLost(devices: SimDevice[]): Promise<void> {
  const { maps, runs } = await pullEverything(devices[0]!);
  const sessions = runs.map(({ recording_session_id }) => recording_session_id);
  expect(new Set(sessions).size).toBe(sessions.length);
  for (const device of devices) {
    expect(device.tornViews).toEqual([]);
    await expectEachRecordingOnce(device, runs);
    for (const mapId of device.createdMaps) expect(maps.map(({ id }) => id)).toContain(mapId);
    await expectEqualToServer(device, { maps, runs });
  }
  const known = new Set(devices.flatMap(({ finished }) => [...finished.keys()]));
  expect(sessions.filter((session) => !known.has(session))).toEqual([]);
}

async function expectEachRecordingOnce(device: SimDevice, runs: RunDoc[]): Promise<void> {
  const attention = (await device.attempt(({ attention$ }) => current(attention$))) ?? [];
  for (const [session, taps] of device.finished) {
    const stands = runs.filter(({ recording_session_id }) => recording_session_id === session);
    const refused = attention.filter(({ args }) => args['recording_session_id'] === session);
    expect(stands.length + refused.length, `recording ${session}`).toBe(1);
    if (stands[0]) expect(stands[0].steps.map(({ stage_name }) => stage_name)).toEqual(taps);
  }
}

async function expectEqualToServer(device: SimDevice, held: { maps: MapDoc[]; runs: RunDoc[] }): Promise<void> {
  await device.attempt(async (gemba) => {
    for (const doc of held.maps) {
      const { pending, analytics: _analytics, ...shown } = (await current(gemba.map$(doc.id)))!;
      expect(pending).toBe(false);
      expect(shown).toEqual(doc);
    }
    const shown = [...(await current(gemba.maps$)), ...(await current(gemba.deletedMaps$))];
    expect(shown.length).toBe(held.maps.length);
    if (device.options.kind === 'wearable') return;
    for (const doc of held.runs) expect(await current(gemba.run$(doc.id))).toEqual({ ...doc, pending: false });
  });
}

async function pullEverything({ options }: SimDevice): Promise<{ maps: MapDoc[]; runs: RunDoc[] }> {
  const changes: RecordChange[] = [];
  let page: PullResponse | undefined;
  while (page?.has_more ?? true) {
    const response = await fetch(`${options.url}/api/v1/sync/pull?cursor=${page?.cursor ?? ''}&limit=1000`, {
      headers: { Authorization: `Bearer ${options.token}`, 'Gemba-Protocol': '1' },
    });
    page = (await response.json()) as PullResponse;
    changes.push(...page.changes);
  }
  return {
    maps: changes.flatMap((change) => (change.kind === 'map' && change.doc ? [change.doc] : [])),
    runs: changes.flatMap((change) => (change.kind === 'run' && change.doc ? [change.doc] : [])),
  };
}
