import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FinishOptions, Recording } from '../../client.ts';
import { useGemba } from '../shell/engine.tsx';
import { runWithVibration, ignoredTapVibrationMs, vibrate } from './run-with-vibration.ts';
import type { StepToStart } from './next-step.ts';

/** A second tap on the same control within this time is an accident, for example with gloves. */
const doubleTapMsMax = 250;

/** The controls that start a step. Two fast taps are a double tap only if both hit the same control. */
export type StepControl = 'next' | 'name' | 'interruption' | 'cycle';

export interface ChosenStep {
  step: StepToStart;
  /** Set if the step begins the next cycle. The tap then finishes the current cycle first, with these options. */
  finishBefore?: Required<FinishOptions>;
}

export type ChooseStep = (steps: readonly StepToStart[]) => ChosenStep;

/**
 * Returns a function that starts a step and resolves to false if the tap was ignored or refused. `choose` gets all
 * steps up to the tap, even steps that are not stored yet.
 */
export function useStepTap(recording: Recording) {
  const gemba = useGemba();
  const latest = useRef(recording);
  /** The tapped steps that the engine has not stored yet. */
  const unstored = useRef<ChosenStep[]>([]);
  /** The recording of the next cycle while its start is not stored yet. */
  const startingCycle = useRef<Promise<Recording> | undefined>(undefined);
  const tappedAtMs = useRef<Partial<Record<StepControl, number>>>({});
  useLayoutEffect(() => {
    const subscription = gemba.recording$.subscribe((emitted) => (latest.current = emitted ?? latest.current));
    return () => subscription.unsubscribe();
  }, [gemba]);
  const stepsSoFar = (): StepToStart[] => {
    const cycleStartIndex = unstored.current.findLastIndex(({ finishBefore }) => finishBefore);
    const steps = unstored.current.slice(Math.max(cycleStartIndex, 0)).map(({ step }) => step);
    return cycleStartIndex < 0 ? [...latest.current.steps, ...steps] : steps;
  };
  /** Calls the verb synchronously unless a cycle is starting, so that the engine reads the clock at the tap. */
  const store = ({ step, finishBefore }: ChosenStep): Promise<unknown> => {
    const before = startingCycle.current;
    if (!finishBefore) return before ? before.then((cycle) => cycle.step(step)) : latest.current.step(step);
    const startCycle = async (cycle: Recording) => (await cycle.nextCycle(step, finishBefore)).recording;
    const starting = before ? before.then(startCycle) : startCycle(latest.current);
    startingCycle.current = starting;
    const forget = () => {
      if (startingCycle.current === starting) startingCycle.current = undefined;
    };
    starting.then(forget, forget);
    return starting;
  };
  return async (control: StepControl, choose: ChooseStep): Promise<boolean> => {
    const nowMs = performance.now();
    if (nowMs - (tappedAtMs.current[control] ?? -Infinity) < doubleTapMsMax) {
      vibrate(ignoredTapVibrationMs);
      return false;
    }
    tappedAtMs.current[control] = nowMs;
    const started = choose(stepsSoFar());
    unstored.current = [...unstored.current, started];
    const isStored = await runWithVibration(() => store(started));
    unstored.current = unstored.current.filter((other) => other !== started);
    return isStored;
  };
}
