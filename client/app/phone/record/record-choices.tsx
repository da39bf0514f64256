import type { MapRecord } from '../../../../shared/schema/map.ts';
import { sortedByLastRecorded } from '../../shell/last-recorded.ts';
import { dateTimeText } from '../../text/format.ts';
import { phoneTexts } from '../../text/phone.ts';
import { texts } from '../../text/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { useStartRecording } from '../maps/use-start-recording.ts';

const choicesMax = 5;

/** Lists the current-state maps that were recorded last. A tap on a map starts its recording. */
export function RecordChoices({ maps }: { maps: readonly MapRecord[] }) {
  const choices = sortedByLastRecorded(maps.filter(({ archived, state }) => !archived && state === 'current')).slice(
    0,
    choicesMax,
  );
  if (choices.length === 0) return null;
  return (
    <ul class="list" role="list" aria-label={texts.record.choose}>
      {choices.map((map) => (
        <li key={map.id}>
          <RecordChoice map={map} />
        </li>
      ))}
    </ul>
  );
}

function RecordChoice({ map: { id, name, stage_count, run_count, last_run_at } }: { map: MapRecord }) {
  const { isStarting, record } = useStartRecording(id);
  return (
    <button type="button" class="list-row record-choice" disabled={isStarting} onClick={() => void record()}>
      <Icon name="record" />
      <span class="list-text">
        <span class="list-name">{name}</span>
        <span class="soft small">
          {last_run_at ? phoneTexts.runs.last(dateTimeText(last_run_at)) : texts.maps.figures(stage_count, run_count)}
        </span>
      </span>
    </button>
  );
}
