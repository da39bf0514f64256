import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomIds } from '../core/ids.ts';
import type { StartedTap, TapAfterStart } from '../storage/rows.ts';
import { startDraft, applyTap, type Draft } from './draft.ts';
import { toFinished, uploadHasAllSteps, makeUploadMutation } from './upload.ts';

const at = (wall_ms: number) => ({ wall_ms, monotonic_ms: wall_ms, boot_id: 'boot' });
const started: StartedTap = {
  kind: 'started',
  at: at(0),
  recording_session_id: randomUUID(),
  map_id: randomUUID(),
  new_map_name: null,
};
const stepped = (second: number, stage_name: string): TapAfterStart => ({
  kind: 'stepped',
  at: at(second * 1000),
  stage_name,
  work_type: null,
  notes: '',
});
const draftWith = (...taps: TapAfterStart[]): Draft => taps.reduce(applyTap, startDraft(started));
const end = at(10_000);
const finished = { kind: 'finished', at: end } satisfies TapAfterStart;
const uploadOf = (draft: Draft) => makeUploadMutation(draft, finished, randomIds);

test('[TRANSFER-12] an upload has all of the finished draft that it was made of', async () => {
  const draft = draftWith(stepped(1, 'load'), stepped(4, 'cut'), finished);
  const upload = await uploadOf(draft);
  expect(uploadHasAllSteps(upload, draft)).toBe(true);
  const { run_id, ...finish } = toFinished(upload);
  expect(finish).toEqual({ recording_session_id: started.recording_session_id, map_id: started.map_id });
  expect(run_id).toBeGreaterThan(0);
});

test.each([
  ['goes on with fewer steps', draftWith(stepped(1, 'load')), true],
  ['goes on with the same steps', draftWith(stepped(1, 'load'), stepped(4, 'cut')), true],
  ['goes on with a step more', draftWith(stepped(1, 'load'), stepped(4, 'cut'), stepped(6, 'pack')), false],
  ['goes on with another step', draftWith(stepped(1, 'load'), stepped(4, 'fold')), false],
  ['was finished with fewer steps', draftWith(stepped(1, 'load'), finished), false],
])(
  "[TRANSFER-8] another device's upload of two steps and a draft that %s: is the draft in it",
  async (_how, draft, isIn) => {
    const upload = await uploadOf(draftWith(stepped(1, 'load'), stepped(4, 'cut'), finished));
    expect(uploadHasAllSteps(upload, draft)).toBe(isIn);
  },
);
