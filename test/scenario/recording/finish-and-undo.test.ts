/** Finishing a recording: what becomes of the map's stages, and taking the finish back. */
import { expect, onTestFinished, test } from 'vitest';
import type { Gemba, Recording, Status } from '../../../client/client.ts';
import { testServer } from '../../device/test-server.ts';
import { current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

const undoMs = 10_000;
const offlineUrl = 'http://127.0.0.1:1';
const offline = { url: offlineUrl, fetch: network(false).fetch };

/** Records steps of these names. */
async function record(recording: Recording, names: string[]): Promise<Recording> {
  for (const stage_name of names) await recording.step({ stage_name });
  return recording;
}

const stepNames = (recording: Recording | null) => recording?.steps.map(({ stage_name }) => stage_name);
const runsOf = async (gemba: Gemba, mapId: string) => current(gemba.runs$(mapId));

test('[RECORDER-18] a finish says what becomes of the stages, and says nothing of the default', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const pushed: unknown[] = [];
  const net = network();
  net.answers('sync/push', (ask, { body }) => {
    const { mutations } = JSON.parse(body) as { mutations: { name: string; args: { stages?: unknown } }[] };
    for (const { name, args } of mutations) if (name === 'upload_recording') pushed.push(args.stages);
    return ask();
  });
  const phone = await device({ url: server.url, token: await server.newAccount(), fetch: net.fetch });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const stagesAfter = async (names: string[], stages?: 'replace' | 'keep' | 'merge') => {
    await (await record(await phone.startRecording({ mapId: map_id }), names)).finish(stages && { stages });
    return (await current(phone.map$(map_id)))?.stages.map(({ stage }) => stage);
  };
  expect(await stagesAfter(['Load', 'Cut', 'Pack'])).toEqual(['Load', 'Cut', 'Pack']);
  expect(await stagesAfter(['Cut'], 'keep')).toEqual(['Load', 'Cut', 'Pack']);
  expect(await stagesAfter(['Cut', 'Oil'], 'merge')).toEqual(['Load', 'Cut', 'Oil', 'Pack']);
  expect(await stagesAfter(['Cut'], 'replace')).toEqual(['Cut']);
  await phone.sync();
  await eventually(phone.status$, ({ pending }) => pending === 0);
  expect(pushed).toEqual([undefined, 'keep', 'merge', undefined]);
});

test('[RECORDER-19] a finish is undone within its time, and the last step goes on', async () => {
  const timers = manualTimers();
  let wall_ms = Date.UTC(2026, 3, 1);
  const clock = { ...timers.clock, wallMs: () => wall_ms, monotonicMs: () => wall_ms };
  const phone = await device({ ...offline, clock });
  const recording = await record(await phone.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  wall_ms += 4_000;
  const finished = await recording.finish({ undoMs });
  expect(await current(phone.recording$)).toBeNull();
  expect(await runsOf(phone, finished.map_id)).toEqual([]);
  wall_ms += 5_000;
  await recording.unfinish();
  await recording.unfinish();
  expect(stepNames(await current(phone.recording$))).toEqual(['Cut']);
  expect(timers.has(undoMs)).toBe(false);
  await recording.step({ stage_name: 'Weld' });
  wall_ms += 1_000;
  const { run_id, map_id } = await recording.finish({ undoMs });
  timers.fire(undoMs);
  const [run] = await eventually(phone.runs$(map_id), (runs) => runs.length > 0);
  expect(run).toMatchObject({ id: run_id, recording_session_id: finished.recording_session_id });
  const steps = (await current(phone.run$(run_id)))?.steps;
  expect(steps?.map(({ duration_secs }) => duration_secs)).toEqual([9, 1]);
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_ended' });
  expect(await recording.finish({ undoMs })).toMatchObject({ run_id });
});

test('[RECORDER-24] a finish that can be undone is pending, until it is undone or settled', async () => {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const timers = manualTimers();
  const phone = await device({ url: server.url, token: await server.newAccount(), clock: timers.clock });
  const statuses: Status[] = [];
  const subscription = phone.status$.subscribe((status) => statuses.push(status));
  onTestFinished(() => subscription.unsubscribe());
  const recording = await record(await phone.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  expect(await current(phone.status$)).toMatchObject({ pending: 0, oldest_pending_at: null });
  await recording.finish({ undoMs });
  expect(await current(phone.status$)).toMatchObject({ pending: 1, oldest_pending_at: expect.any(String) });
  await recording.unfinish();
  expect(await current(phone.status$)).toMatchObject({ pending: 0, oldest_pending_at: null });
  const finishedFrom = statuses.length;
  await recording.finish({ undoMs });
  timers.fire(undoMs);
  await eventually(phone.runs$(recording.map_id), (runs) => runs.length === 1);
  await phone.sync();
  await eventually(phone.status$, ({ pending }) => pending === 0);
  const counts = statuses.slice(finishedFrom).map(({ pending }) => pending);
  expect(counts.filter((count, index) => count !== counts[index - 1])).toEqual([1, 0]);
});

test('[RECORDER-19] a finish without a time is uploaded at once, also after one with a time', async () => {
  const phone = await device({ ...offline, clock: manualTimers().clock });
  const recording = await record(await phone.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  const first = await recording.finish({ undoMs, stages: 'keep' });
  expect(await recording.finish()).toEqual(first);
  expect((await runsOf(phone, first.map_id)).map(({ id }) => id)).toEqual([first.run_id]);
  await expect(recording.unfinish()).rejects.toMatchObject({ code: 'recording_ended' });
});

test.each([
  ['over', 10_000, 0],
  ['not over', 4_000, 6_000],
  ['begun anew by a clock that went back', -3_600_000, 10_000],
])(
  '[RECORDER-20] [RECORDER-36] after a restart the time is %s, and the recording is uploaded once',
  async (_, passedMs, leftMs) => {
    let wall_ms = Date.UTC(2026, 3, 1);
    const pageOptions = (bootId: string) => {
      const timers = manualTimers();
      const clock = { ...timers.clock, bootId, wallMs: () => wall_ms, monotonicMs: () => 0 };
      return { timers, options: { ...offline, name: `device-finishing-${leftMs}`, storage, clock } };
    };
    const storage = memoryStorage();
    const before = await device(pageOptions('first').options);
    const recording = await record(await before.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
    const { run_id, map_id } = await recording.finish({ undoMs, stages: 'merge' });
    await before.close();
    wall_ms += passedMs;
    const shown: (Recording | null)[] = [];
    const onBegun = (early: Pick<Gemba, 'recording$'>) => void early.recording$.subscribe((one) => shown.push(one));
    const { timers, options } = pageOptions('second');
    const after = await device({ ...options, onBegun });
    expect(new Set(shown)).toEqual(new Set([null]));
    if (leftMs > 0) {
      expect(await runsOf(after, map_id)).toEqual([]);
      expect(await current(after.status$)).toMatchObject({ pending: 1 });
      timers.fire(leftMs);
    }
    const uploaded = await eventually(after.runs$(map_id), (runs) => runs.length > 0);
    expect(uploaded.map(({ id }) => id)).toEqual([run_id]);
    await after.close();
    expect(await runsOf(await device(pageOptions('third').options), map_id)).toHaveLength(1);
  },
);

test('[RECORDER-41] a device that is opened again in one page gives a finish what is left of its time', async () => {
  const timers = manualTimers();
  let ms = Date.UTC(2026, 3, 1);
  const clock = { ...timers.clock, bootId: 'page', wallMs: () => ms, monotonicMs: () => ms };
  const options = { ...offline, name: 'device-reopened-in-a-page', storage: memoryStorage(), clock };
  const before = await device(options);
  const recording = await record(await before.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  const { run_id, map_id } = await recording.finish({ undoMs });
  await before.close();
  ms += 4_000;
  const after = await device(options);
  expect(timers.has(undoMs)).toBe(false);
  timers.fire(6_000);
  expect(await eventually(after.runs$(map_id), (runs) => runs.length > 0)).toMatchObject([{ id: run_id }]);
});

test('[RECORDER-20] another recording that is started or restored ends the time', async () => {
  const phone = await device({ ...offline, clock: manualTimers().clock });
  const discarded = await record(await phone.startRecording({ newMap: { name: 'Drill' } }), ['Drill']);
  await discarded.discard();
  const first = await record(await phone.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  const { map_id } = await first.finish({ undoMs });
  await phone.restoreRecording(discarded.recording_session_id);
  expect(await runsOf(phone, map_id)).toHaveLength(1);
  await expect(first.unfinish()).rejects.toMatchObject({ code: 'recording_ended' });
  await discarded.finish({ undoMs });
  const second = await phone.startRecording({ mapId: map_id });
  expect(await runsOf(phone, discarded.map_id)).toHaveLength(1);
  expect((await current(phone.recording$))?.recording_session_id).toBe(second.recording_session_id);
});

test('[RECORDER-23] a finish with unknown options is refused, and the recording goes on', async () => {
  const phone = await device(offline);
  const recording = await record(await phone.startRecording({ newMap: { name: 'Saw' } }), ['Cut']);
  const wrong = [{ stages: 'toString' }, { undoMs: -1 }, { undoMs: 60_001 }, { undoMs: 0.5 }, { undoMs: Number.NaN }];
  for (const options of wrong) {
    await expect(recording.finish(options as object)).rejects.toMatchObject({ code: 'validation_failed' });
  }
  await recording.step({ stage_name: 'Weld' });
  expect(stepNames(await current(phone.recording$))).toEqual(['Cut', 'Weld']);
});
