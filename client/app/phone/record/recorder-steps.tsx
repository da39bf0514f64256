import { useEffect, useRef, useState } from 'preact/hooks';
import type { Recording } from '../../../client.ts';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { stageTimeOf, type MedianSecsByStage, type RecordedMap } from '../../recorder/recorded-map.ts';
import { clockText, durationText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { foldedListTexts, recordTexts } from '../../text/phone-on-demand.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import { StepPhotos } from '../photos/step-photos.tsx';
import { StepEditor } from './step-editor.tsx';

/** The number of stages listed before the first step: more than any screen shows at once. */
const upcomingStagesMax = 30;

/**
 * The recorder renders only this many of the latest steps, since more rendered steps would delay each tap. A button
 * shows the earlier steps.
 */
const shownStepsMax = 100;

interface RecorderStepsProps {
  recording: Recording;
  map: RecordedMap | undefined;
  medians: MedianSecsByStage | undefined;
  /** The index of the step whose editor is open; undefined while no editor is open. */
  editedIndex: number | undefined;
  onEdit(index: number): void;
}

/**
 * Lists the ended steps, and scrolls to the latest. The editor of a step opens below its row. Before the first step,
 * lists the stages of the map.
 */
export function RecorderSteps({ recording, map, medians, editedIndex, onEdit }: RecorderStepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const { steps } = recording;
  const isEditing = editedIndex !== undefined && editedIndex < steps.length;
  useEffect(() => {
    if (!isEditing) list.current?.scrollTo(0, list.current.scrollHeight);
  }, [steps.length, isEditing]);
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, steps.length - shownStepsMax);
  if (steps.length === 0) return map ? <UpcomingStages map={map} medians={medians} /> : <div class="recorder-steps" />;
  const editorOf = (index: number) =>
    index === editedIndex ? <StepEditor recording={recording} index={index} onClose={() => onEdit(index)} /> : null;
  return (
    <ol
      ref={list}
      class={`recorder-steps${isEditing ? ' recorder-editing' : ''}`}
      role="list"
      aria-label={recordTexts.steps}
      tabIndex={0}
    >
      {hidden > 0 && (
        <li>
          <button type="button" class="recorder-step" onClick={() => setWhole(true)}>
            {foldedListTexts.earlier(hidden)}
          </button>
        </li>
      )}
      {steps.map(({ stage_name, work_type, notes, duration_secs, photos }, index) => {
        if (index < hidden) return null;
        if (duration_secs === null) return index === editedIndex && <li key={index}>{editorOf(index)}</li>;
        return (
          <li key={index}>
            <button
              type="button"
              class="recorder-step"
              aria-expanded={index === editedIndex}
              onClick={() => onEdit(index)}
            >
              <WorkTypeMark type={work_type} />
              <span class="recorder-step-name">
                {stage_name}
                {notes && <small class="soft">{notes}</small>}
              </span>
              <span class="soft recorder-step-time">
                <TimeText>{durationText(duration_secs)}</TimeText>
              </span>
            </button>
            {photos && <StepPhotos recording={recording} index={index} />}
            {editorOf(index)}
          </li>
        );
      })}
    </ol>
  );
}

function UpcomingStages({ map, medians }: Pick<RecorderStepsProps, 'medians'> & { map: RecordedMap }) {
  return (
    <ol class="recorder-steps recorder-upcoming" role="list" aria-label={texts.map.stages} tabIndex={0}>
      {map.stages.slice(0, upcomingStagesMax).map(({ stage, work_type }, index) => {
        const time = stageTimeOf(stage, map, medians);
        return (
          <li key={index} class="recorder-step">
            <WorkTypeMark type={work_type} />
            <span class="recorder-step-name">{stage}</span>
            {time && (
              <span class="recorder-step-time">
                <TimeText>{phoneTexts.recorder[time.kind](clockText(time.secs))}</TimeText>
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
