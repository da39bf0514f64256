import { expect, test } from 'vitest';
import { apply } from '../../shared/domain/apply.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { AccountModel } from './account-model.ts';
import { mapIdOf } from './mutations.ts';

const map_id = mapIdOf(1);
const now = '2026-04-01T09:30:00.000Z';

function runStartedAt(started_at: string | undefined, deviceClockBehindMs?: number): RunDoc {
  const model = new AccountModel();
  expect(model.commit({ name: 'create_map', args: { map_id, name: 'Press' } }, { now }).ok).toBe(true);
  const steps = [{ stage_name: 'Open', order: 1, duration_secs: 1 }];
  const args = { map_id, recording_session_id: 'one', steps, ...(started_at === undefined ? {} : { started_at }) };
  const clock = deviceClockBehindMs === undefined ? {} : { deviceClockBehindMs };
  const outcome = apply(
    model,
    { name: 'upload_recording', args },
    { now, deviceId: null, firstFreeId: 1, fingerprint: '', ...clock },
  );
  if (!outcome.ok || !outcome.changes.newRun) throw new Error('The recording was refused.');
  return outcome.changes.newRun;
}

test('[PUSH-18] the corrected start is the sent one shifted by the error of the clock, and the sent one is kept beside it', () => {
  const sent = '2026-04-01T09:00:00.000Z';
  expect(runStartedAt(sent, 600_000)).toMatchObject({
    started_at: '2026-04-01T09:10:00.000Z',
    device_started_at: sent,
  });
  expect(runStartedAt(sent, -600_000)).toMatchObject({
    started_at: '2026-04-01T08:50:00.000Z',
    device_started_at: sent,
  });
  // The shift may reach the arrival itself.
  expect(runStartedAt(sent, 1_800_000)).toMatchObject({ started_at: now, device_started_at: sent });
});

test('[PUSH-18] a start that nothing corrects stands alone', () => {
  const sent = '2026-04-01T09:00:00.000Z';
  for (const run of [runStartedAt(sent), runStartedAt(sent, 0), runStartedAt('2026-04-01T11:00:00.000+02:00')]) {
    expect(run.started_at).toBe(sent);
    expect(run).not.toHaveProperty('device_started_at');
  }
  expect(runStartedAt(undefined, 600_000).started_at).toBeNull();
  // A start in the future stays, too, where nothing says that the clock is wrong.
  for (const error of [undefined, 0]) expect(runStartedAt('2026-04-01T10:00:00.000Z', error).started_at).toMatch(/T10/);
});

test('[PUSH-43] a start whose correction would lie in the future stays as sent, and is never later than the arrival', () => {
  const sent = '2026-04-01T09:00:00.000Z';
  const kept = runStartedAt(sent, 1_800_001);
  expect(kept.started_at).toBe(sent);
  expect(kept).not.toHaveProperty('device_started_at');
  const later = '2026-04-01T10:00:00.000Z';
  expect(runStartedAt(later, 600_000)).toMatchObject({ started_at: now, device_started_at: later });
  expect(runStartedAt('1970-01-01T00:00:01.000Z', -60_000).started_at).toBe('1970-01-01T00:00:00.000Z');
});
