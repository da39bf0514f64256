/** Whatever a caller gives to a verb, the answer is a `GembaError` that says what is wrong, and nothing changes. */
import { expect, test } from 'vitest';
import { GembaError, type Gemba } from '../../../client/client.ts';
import { current, device, network } from '../../device/devices.ts';
import { callsOfRecording, callsOfVerbs, type VerbCall } from './calls-of-verbs.ts';

const cycle: Record<string, unknown> = { name: 'Saw', stage: 'Cut' };
cycle['self'] = cycle;

/** Values that no argument of any verb may have. */
const wrongValues: Record<string, unknown> = {
  null: null,
  NaN: Number.NaN,
  Infinity,
  negative: -1,
  huge: 1e300,
  fraction: 0.5,
  true: true,
  bigint: 10n,
  symbol: Symbol('one'),
  function: () => 'Saw',
  'list of nothing': [null],
  'long list': Array.from({ length: 100_000 }),
  'nested list': [[['Saw']]],
  map: new Map([['name', 'Saw']]),
  'boxed text': new String('Saw'),
  cycle,
  'list of cycles': [cycle],
  'text like a mode': { toString: () => 'keep' },
  'lone surrogate': '\ud800',
};

const offline = { url: 'http://127.0.0.1:1', fetch: network(false).fetch };

test('[DEVICE-15] every verb refuses every value that is not its own, and changes nothing', async () => {
  const gemba = await device(offline);
  const { map_id } = await gemba.createMap({ name: 'Saw' });
  const { stage_id } = await gemba.addStage(map_id, { stage: 'Cut' });
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];
  const { run_id } = await gemba.importRecording({ mapId: map_id, recording: { steps } });
  const { recording_session_id } = await gemba.startRecording({ mapId: map_id });
  const recording = (await current(gemba.recording$))!;
  await recording.step({ stage_name: 'Cut' });
  await recording.step({ stage_name: 'Weld' });
  const position = { index: 0, started_at: (await current(gemba.recording$))!.steps[0]!.started_at };

  const calls: Record<keyof typeof verbs, Record<string, VerbCall>> = {
    ...callsOfVerbs(gemba, { map_id, stage_id, run_id }),
    ...callsOfRecording(recording, position),
  };
  const verbs = { ...namesOfVerbs(gemba), ...namesOfVerbs(recording) };
  expect(Object.keys(calls).toSorted()).toEqual(Object.keys(verbs).toSorted());

  const before = await readShownRecords(gemba, { map_id, run_id });
  const faults: string[] = [];
  for (const [verb, places] of Object.entries(calls)) {
    for (const [place, call] of Object.entries(places)) {
      for (const [kind, value] of Object.entries(wrongValues)) {
        const outcome = await outcomeOf(() => call(value as never));
        if (!(outcome instanceof GembaError)) faults.push(`${verb} ${place} ${kind}: ${String(outcome)}`);
        else if (!codes.has(outcome.code)) faults.push(`${verb} ${place} ${kind}: ${outcome.code} ${outcome.message}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(await readShownRecords(gemba, { map_id, run_id })).toEqual(before);
  expect(recording.recording_session_id).toBe(recording_session_id);
});

test('[DEVICE-16] a change that no server takes is refused at once, with the limit', async () => {
  const gemba = await device(offline);
  const { map_id } = await gemba.createMap({ name: 'Saw' });
  const steps = Array.from({ length: 1_000 }, (_, order) => ({ stage_name: 'Cut', order, duration_secs: 1 }));
  const { run_id } = await gemba.importRecording({ mapId: map_id, recording: { steps } });
  const notes = 'ü'.repeat(4_000);
  const tooLong = gemba.correctRun(
    run_id,
    steps.map((step) => ({ ...step, notes })),
  );
  const message = 'The change is larger than a server takes. It takes 7.7 MiB of at most 7 MiB.';
  await expect(tooLong).rejects.toMatchObject({ code: 'payload_too_large', message });
  const aliases = Array.from({ length: 10 }, (_, alias) => `Cut ${alias}`);
  const stages = Array.from({ length: 5_000 }, (_, index) => ({ stage: `Cut ${index}`, aliases }));
  const tooMany = gemba.replaceStages(map_id, stages);
  await expect(tooMany).rejects.toMatchObject({ code: 'payload_too_large', message: /more than 49980 values/ });
  const endless = gemba.replaceStages(map_id, Array.from<never>({ length: 5_001 }));
  await expect(endless).rejects.toMatchObject({ code: 'validation_failed', message: /at most 5000 entries/ });
  expect(await current(gemba.status$)).toMatchObject({ pending: 2 });
  await gemba.correctRun(
    run_id,
    steps.map((step) => ({ ...step, notes: 'u'.repeat(7_000) })),
  );
  await gemba.replaceStages(
    map_id,
    stages.map(({ stage }) => ({ stage })),
  );
  expect((await current(gemba.map$(map_id)))?.stages).toHaveLength(5_000);
});

test('[DEVICE-17] each list has its own limit, also a list inside a list, and a hostile list takes no time', async () => {
  const gemba = await device(offline);
  const { map_id } = await gemba.createMap({ name: 'Saw' });
  const { stage_id } = await gemba.addStage(map_id, { stage: 'Cut' });
  const step = { stage_name: 'Cut', order: 1, duration_secs: 1 };
  const { run_id } = await gemba.importRecording({ mapId: map_id, recording: { steps: [step] } });
  const long = (length: number) => Array.from<never>({ length });
  const errorsOf = (call: Promise<unknown>) => call.then(undefined, (error: GembaError) => error.errors);
  const tooLong = (path: string, most: number) => ({ path, message: `must have at most ${most} entries` });
  expect(await errorsOf(gemba.correctRun(run_id, long(1_001)))).toEqual([tooLong('/steps', 1_000)]);
  expect(await errorsOf(gemba.importRecording({ mapId: map_id, recording: { steps: long(1_001) } }))).toEqual([
    tooLong('/steps', 1_000),
  ]);
  expect(await errorsOf(gemba.updateRun(run_id, { tags: long(21) }))).toEqual([tooLong('/tags', 20)]);
  expect(await errorsOf(gemba.compareRuns(long(51)))).toEqual([tooLong('/run_ids', 50)]);
  expect(await errorsOf(gemba.updateStage(map_id, stage_id, { aliases: long(11) }))).toEqual([tooLong('/aliases', 10)]);
  expect(await errorsOf(gemba.reorderStages(map_id, long(5_001)))).toEqual([tooLong('/stage_ids', 5_000)]);
  const stages = [{ stage: 'Cut' }, { stage: 'Weld', aliases: long(100_000) }];
  expect(await errorsOf(gemba.replaceStages(map_id, stages))).toEqual([tooLong('/stages/1/aliases', 10)]);
  const steps = [{ ...step, photos: long(100_000) }];
  expect(await errorsOf(gemba.correctRun(run_id, steps))).toEqual([tooLong('/steps/0/photos', 20)]);
});

/** The codes that say what is wrong with a value. */
const codes: ReadonlySet<string> = new Set<GembaError['code']>([
  'validation_failed',
  'payload_too_large',
  'unsent_file_invalid',
  'recording_ended',
  'recording_under_way',
  'tap_refused',
  'attention_not_found',
  'map_not_found',
  'stage_not_found',
  'run_not_found',
]);

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return 'was taken';
  } catch (error) {
    return error;
  }
}

const namesOfVerbs = (of: object): Record<string, VerbCall> =>
  Object.fromEntries(Object.entries(of).filter(([name, value]) => typeof value === 'function' && !name.endsWith('$')));

async function readShownRecords(
  gemba: Gemba,
  { map_id, run_id }: { map_id: string; run_id: number },
): Promise<unknown> {
  const { pending, attention } = await current(gemba.status$);
  const recording = await current(gemba.recording$);
  return JSON.parse(
    JSON.stringify({
      pending,
      attention,
      steps: recording?.steps,
      maps: await current(gemba.maps$),
      map: await current(gemba.map$(map_id)),
      run: await current(gemba.run$(run_id)),
    }),
  );
}
