import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { useGemba } from '../shell/engine.tsx';
import { runWithVibration, ignoredTapVibrationMs, vibrate } from './run-with-vibration.ts';
import type { StepToStart } from './next-step.ts';

/** A second tap on the same control within this time is an accident, for example with gloves. */
const doubleTapMsMax = 250;

type StepControl = 'next' | 'name';
type ChooseStep = (steps: readonly Pick<StepToStart, 'stage_name'>[]) => StepToStart;

/**
 * Returns a function that starts a step and resolves to false if the tap was ignored or refused. `choose` gets all
 * steps up to the tap, even steps that are not stored yet.
 */
export function useStepTap(recording: Recording) {
  const gemba = useGemba();
  const latest = useRef(recording);
  const unstored = useRef<StepToStart[]>([]);
  const tappedAtMs = useRef<Record<StepControl, number>>({ next: -Infinity, name: -Infinity });
  useLayoutEffect(() => {
    const subscription = gemba.recording$.subscribe((emitted) => (latest.current = emitted ?? latest.current));
    return () => subscription.unsubscribe();
  }, [gemba]);
  return async (control: StepControl, choose: ChooseStep): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs - tappedAtMs.current[control] < doubleTapMsMax) {
      vibrate(ignoredTapVibrationMs);
      return false;
    }
    tappedAtMs.current[control] = nowMs;
    const step = choose([...latest.current.steps, ...unstored.current]);
    unstored.current = [...unstored.current, step];
    const isStored = await runWithVibration(() => latest.current.step(step));
    unstored.current = unstored.current.filter((other) => other !== step);
    return isStored;
  };
}
