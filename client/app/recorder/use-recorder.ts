import { useState } from 'preact/hooks';
import type { Recording, StagesMode, WorkType } from '../../client.ts';
import { useValue } from '../shell/engine.tsx';
import { setFinishDelayMs } from '../shell/delayed-finish.ts';
import { texts } from '../text/texts.ts';
import { isGapRecorded$ } from './cycle-gap.ts';
import { cycleFinishOptions, undoAcceptedMs } from './finish-mode.ts';
import { firstStepOfCycle, isCycleComplete, nextStage, stepToStart, type StepToStart } from './next-step.ts';
import { stagesOfCycle, useRecordedMap } from './recorded-map.ts';
import { useStepTap, type ChooseStep, type ChosenStep, type StepControl } from './use-step-tap.ts';

interface RecorderOptions {
  /** Called after a step was started. */
  onStarted(): void;
  /** Called when a cycle was finished. `mode` tells how the cycle changed the map's stages. */
  onCycle(mode: StagesMode): void;
}

/**
 * Returns the values that the recorder of each face shows, and the functions that start a step. Each function resolves
 * to whether the step was started.
 */
export function useRecorder(recording: Recording, { onStarted, onCycle }: RecorderOptions) {
  const map = useRecordedMap(recording);
  const [chosenType, setChosenType] = useState<WorkType>();
  const isGapRecorded = useValue(isGapRecorded$) ?? false;
  const tapStep = useStepTap(recording);
  const stages = map?.stages ?? [];

  const cycleStart = (): ChosenStep => {
    const cycleStages = stages.length > 0 ? stages : stagesOfCycle(recording.steps);
    const step = firstStepOfCycle(cycleStages, { chosenType, isGapRecorded });
    return { step, finishBefore: cycleFinishOptions(recording, map) };
  };
  const stepAfter = (stepsSoFar: readonly StepToStart[]): ChosenStep =>
    isCycleComplete(stages, stepsSoFar) ? cycleStart() : { step: stepToStart(stages, stepsSoFar, chosenType) };
  const interruptionAfter = (stepsSoFar: readonly StepToStart[]): ChosenStep => {
    if (stepsSoFar.at(-1)?.interruption) return stepAfter(stepsSoFar);
    return { step: { stage_name: texts.record.interruption, work_type: 'waste', interruption: true } };
  };

  const start = async (control: StepControl, choose: ChooseStep): Promise<boolean> => {
    let chosen: ChosenStep | undefined;
    const isStarted = await tapStep(control, (stepsSoFar) => {
      chosen = choose(stepsSoFar);
      // Forget the chosen type at the tap: a person may choose the next type before this step is stored.
      setChosenType(undefined);
      return chosen;
    });
    if (!isStarted) {
      if (chosen) setChosenType((chosenSince) => chosenSince ?? chosenType);
      return false;
    }
    onStarted();
    if (chosen?.finishBefore) {
      setFinishDelayMs(undoAcceptedMs);
      onCycle(chosen.finishBefore.stages);
    }
    return true;
  };

  return {
    map,
    stages,
    chosenType,
    setChosenType,
    /** The step that the next tap starts. */
    upcoming: stepAfter(recording.steps),
    /** False if the upcoming step has only a number as its name. */
    isUpcomingNamed: isCycleComplete(stages, recording.steps) || nextStage(stages, recording.steps) !== undefined,
    startNext: () => start('next', stepAfter),
    startCycle: () => start('cycle', cycleStart),
    startNamed: ({ stage_name, work_type }: StepToStart) =>
      start('name', () => ({ step: { stage_name, work_type: chosenType ?? work_type } })),
    interrupt: () => start('interruption', interruptionAfter),
  };
}
