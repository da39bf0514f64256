import { useState } from 'preact/hooks';
import { WorkTypeBadge } from '../../ui/work-type.tsx';
import { durationText, numberText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { photoTexts } from '../../text/phone-on-demand.ts';
import { runTexts } from '../../text/phone-runs.ts';
import { hexOfPhotoId, type RunStep } from '../../../client.ts';
import { FoldedList } from '../folded-list.tsx';
import { PhotoStrip } from '../photos/photo-strip.tsx';

interface StepsListProps {
  label: string;
  steps: readonly RunStep[];
  /** Called with the index of a tapped step. Absent if the steps cannot be edited. */
  onStep?: (index: number) => void;
}

export function StepsList({ label, steps, onStep }: StepsListProps) {
  const [group, setGroup] = useState<number>();
  const numbered = steps.map((step, index) => ({ step, index }));
  return (
    <FoldedList
      label={label}
      items={numbered}
      nameOf={({ step }) => step.stage_name}
      positionOf={({ index }) => index + 1}
      group={group}
      onGroup={setGroup}
    >
      {(shown) => (
        <ol class="list" role="list" aria-label={label}>
          {shown.map(({ step, index }) =>
            onStep ? (
              <li key={step.order}>
                <button type="button" class="run-step row-button" onClick={() => onStep(index)}>
                  <StepDetails step={step} isOnlyShown={false} />
                </button>
              </li>
            ) : (
              <li key={step.order} class="run-step">
                <StepDetails step={step} isOnlyShown />
              </li>
            ),
          )}
        </ol>
      )}
    </FoldedList>
  );
}

function StepDetails({ step, isOnlyShown }: { step: RunStep; isOnlyShown: boolean }) {
  const { order, stage_name, duration_secs, duration_estimated, work_type, notes, photos } = step;
  return (
    <>
      <p class="list-name">
        {numberText(order)}. {stage_name}
      </p>
      <p class="run-secs">
        <TimeText>{durationText(duration_secs)}</TimeText>
      </p>
      <WorkTypeBadge type={work_type} />
      {duration_estimated && <p class="soft small">{runTexts.estimated}</p>}
      {notes && <p class="run-notes">{notes}</p>}
      <OtherPhotoReferences references={photos} />
      {isOnlyShown ? (
        <PhotoStrip stepName={stage_name} photoIds={photos.filter(isPhotoId)} />
      ) : (
        photos.some(isPhotoId) && <p class="soft small">{photoTexts.count(photos.filter(isPhotoId).length)}</p>
      )}
    </>
  );
}

/**
 * Shows the references that are not ids of photos: a web address as a link, any other reference as text. The app's
 * Content-Security-Policy forbids it to show pictures of other hosts.
 */
function OtherPhotoReferences({ references }: { references: readonly string[] }) {
  return (
    <>
      {references.map(
        (reference, index) =>
          !isPhotoId(reference) && (
            <p key={reference} class="run-notes small">
              {isWebAddress(reference) ? (
                <a href={reference} target="_blank" rel="noreferrer" title={reference}>
                  {runTexts.photo(index + 1)}
                </a>
              ) : (
                runTexts.photoNamed(reference)
              )}
            </p>
          ),
      )}
    </>
  );
}

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

const isPhotoId = (reference: string): boolean => hexOfPhotoId(reference) !== undefined;
