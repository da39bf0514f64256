/** A phone that is recording, for the scenarios of edits, pauses and cycles. */
import { expect } from 'vitest';
import type { Gemba, GembaOptions, Recording } from '../../../client/client.ts';
import { current, device, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

export const offline = { url: 'http://127.0.0.1:1', fetch: network(false).fetch };
export const step = (stage_name: string) => ({ stage_name });

/** A clock that a test moves by hand. */
export function handClock() {
  const timers = manualTimers();
  let ms = Date.UTC(2026, 3, 1);
  const clock: Partial<GembaOptions['clock']> & object = { ...timers.clock, wallMs: () => ms, monotonicMs: () => ms };
  return { ...timers, clock, passSecs: (secs: number) => void (ms += secs * 1000) };
}

export const underWay = async (gemba: Gemba): Promise<Recording> => {
  const recording = await current(gemba.recording$);
  expect(recording).not.toBeNull();
  return recording!;
};
export const at = ({ steps }: Recording, index: number) => ({ index, started_at: steps[index]!.started_at });
export const shown = ({ steps }: Recording) =>
  steps.map(({ stage_name, duration_secs }) => [stage_name, duration_secs]);
export const runStepsOf = async (gemba: Gemba, runId: number) =>
  (await current(gemba.run$(runId)))?.steps.map(({ stage_name, duration_secs }) => [stage_name, duration_secs]);
export const namesOf = async (gemba: Gemba, mapId: string) =>
  (await current(gemba.map$(mapId)))?.stages.map(({ stage }) => stage);

/** A phone that records Load for 10 s, Press for 20 s, and then Pack. */
export async function recordingPhone(options: Partial<GembaOptions> = {}) {
  const hand = handClock();
  const phone = await device({ ...offline, ...options, clock: hand.clock });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  for (const [name, secs] of [
    ['Load', 10],
    ['Press', 20],
  ] as const) {
    await recording.step(step(name));
    hand.passSecs(secs);
  }
  await recording.step(step('Pack'));
  return { phone, recording, ...hand };
}
