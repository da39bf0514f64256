import { useEffect, useState } from 'preact/hooks';
import type { Recording, StagesMode, WorkType } from '../../../client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { WorkTypeLabel } from '../../ui/work-type.tsx';
import { undoAcceptedMs, stagesModeOf } from '../../recorder/finish-mode.ts';
import type { MedianSecsByStage } from '../../recorder/recorded-map.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { useRecorder } from '../../recorder/use-recorder.ts';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { useGemba } from '../../shell/engine.tsx';
import { setFinishDelayMs } from '../../shell/delayed-finish.ts';
import { navigate } from '../../shell/router.tsx';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import { useOnDemandModule } from '../use-on-demand.tsx';
import { CurrentStep } from './current-step.tsx';
import { NextButton } from './next-button.tsx';

const workTypeOptions: Record<WorkType, preact.JSX.Element> = {
  valuable: <WorkTypeLabel type="valuable" />,
  incidental: <WorkTypeLabel type="incidental" />,
  waste: <WorkTypeLabel type="waste" />,
};

export function Recorder({ recording }: { recording: Recording }) {
  const onDemand = useOnDemandModule();
  const [dialog, setDialog] = useState<'more' | 'stages'>();
  const [editedIndex, setEditedIndex] = useState<number>();
  useWakeLock();
  const { steps, new_map_name } = recording;
  const recorder = useRecorder(recording, {
    onStarted: () => undefined,
    onCycle: (mode) => {
      setEditedIndex(undefined);
      showToast({ text: new_map_name === null ? phoneTexts.recorder.finished(mode) : texts.record.finished });
    },
  });
  const { map, upcoming } = recorder;
  const medians = useStageMedians(recording.map_id, onDemand);
  const hasStep = steps.length > 0;

  const { finish, discard } = useRecordingEnd(recording, () => setDialog(undefined));
  const finishOrAsk = () => {
    const mode = stagesModeOf(recording, map);
    if (mode) void finish(mode);
    else setDialog('stages');
  };
  // After an undo, a toast offers to redo the tap. The code of this toast loads after the recorder.
  const undo = () => (onDemand ? onDemand.undoTapWithToast(recording) : runWithVibration(recording.undo));
  const toggleEditor = (index: number) => setEditedIndex(index === editedIndex ? undefined : index);

  return (
    <Screen title={map?.name ?? new_map_name ?? texts.record.title}>
      <div class="recorder">
        <CurrentStep
          recording={recording}
          map={map}
          medians={medians}
          onDemand={onDemand}
          onEdit={() => toggleEditor(steps.length - 1)}
        />
        {onDemand ? (
          <onDemand.RecorderSteps
            recording={recording}
            map={map}
            medians={medians}
            editedIndex={editedIndex}
            onEdit={toggleEditor}
          />
        ) : (
          <div class="recorder-steps" />
        )}
        <RadioGroup
          label={phoneTexts.recorder.type}
          options={workTypeOptions}
          value={recorder.chosenType ?? upcoming.step.work_type}
          onValue={recorder.setChosenType}
        />
        <NextButton recording={recording} recorder={recorder} />
        {onDemand && <onDemand.OtherTapButtons recording={recording} recorder={recorder} />}
        <div class="recorder-actions">
          <Button icon="undo" disabled={!hasStep} onClick={undo}>
            {texts.record.undo}
          </Button>
          <IconButton icon="dots" label={texts.record.more} onClick={() => setDialog('more')} />
          <Button icon="check" disabled={!hasStep} onClick={finishOrAsk}>
            {texts.record.finish}
          </Button>
        </div>
      </div>
      {onDemand && (
        <onDemand.RecorderDialogs
          dialog={dialog}
          recording={recording}
          map={map}
          onStep={(step) => {
            setDialog(undefined);
            void recorder.startNamed(step);
          }}
          onMode={(mode) => void finish(mode)}
          onDiscard={() => void discard()}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Screen>
  );
}

/**
 * Returns the usual times of the map's stages. Computes them only when the recorder opens, so that no tap waits for the
 * computation.
 */
function useStageMedians(mapId: string, onDemand: ReturnType<typeof useOnDemandModule>): MedianSecsByStage | undefined {
  const gemba = useGemba();
  const [medians, setMedians] = useState<MedianSecsByStage>();
  useEffect(() => void onDemand?.stageMediansOf(gemba, mapId).then(setMedians, reportError), [gemba, mapId, onDemand]);
  return medians;
}

/** Returns the two functions that end the recording. Each shows a toast with Undo. */
function useRecordingEnd(recording: Recording, closeDialog: () => void) {
  const gemba = useGemba();
  const finish = async (mode: StagesMode) => {
    closeDialog();
    if (!(await runWithVibration(() => recording.finish({ stages: mode, undoMs: undoAcceptedMs })))) return;
    setFinishDelayMs(undoAcceptedMs);
    const isNewMap = recording.new_map_name !== null;
    navigate(isNewMap ? '/' : `/maps/${recording.map_id}`, { replace: true });
    const undo = async () => {
      if (!(await runWithVibration(() => recording.unfinish()))) return;
      setFinishDelayMs(0);
      navigate('/record');
    };
    showToast({ text: isNewMap ? texts.record.finished : phoneTexts.recorder.finished(mode), undo: () => void undo() });
  };
  const discard = async () => {
    closeDialog();
    if (!(await runWithVibration(() => recording.discard()))) return;
    const restore = () => runWithVibration(() => gemba.restoreRecording(recording.recording_session_id));
    showToast({ text: texts.record.discarded, undo: () => void restore() });
  };
  return { finish, discard };
}
