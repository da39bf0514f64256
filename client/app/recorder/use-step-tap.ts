import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { useGemba } from '../shell/engine.tsx';
import { runWithVibration, ignoredPatternMs, vibrate } from './run-with-vibration.ts';
import type { NextStep } from './next-step.ts';

/** A second tap within this time is an accident, as a glove makes it. */
const doubleTapMs = 250;

/** Only a second tap on the same control is an accident. */
type StepControl = 'next' | 'name';
type ChooseStep = (steps: readonly Pick<NextStep, 'stage_name'>[]) => NextStep;

/**
 * Returns a function that starts a step. `choose` gets the steps at the moment of the tap, those included that are not
 * stored or rendered yet. Resolves to false if the tap was ignored or refused.
 */
export function useStepTap(recording: Recording) {
  const gemba = useGemba();
  const latest = useRef(recording);
  const unstored = useRef<NextStep[]>([]);
  const tappedAtMs = useRef<Record<StepControl, number>>({ next: -Infinity, name: -Infinity });
  useLayoutEffect(() => {
    const subscription = gemba.recording$.subscribe((emitted) => (latest.current = emitted ?? latest.current));
    return () => subscription.unsubscribe();
  }, [gemba]);
  return async (control: StepControl, choose: ChooseStep): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs - tappedAtMs.current[control] < doubleTapMs) {
      vibrate(ignoredPatternMs);
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
