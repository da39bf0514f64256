import type { MapRecord } from '../../../client.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { sortedByLastRecorded } from '../../shell/last-recorded.ts';
import { dateTimeText } from '../../text/format.ts';
import { phoneTexts } from '../../text/phone.ts';
import { recordTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { Link } from '../../shell/router.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DiscardedRecordings } from './discarded-recordings.tsx';
import { useStartRecording } from '../maps/use-start-recording.ts';

const mapChoicesMax = 5;

export function NoRecording() {
  return (
    <Screen title={texts.record.title}>
      <EmptyState title={recordTexts.nothing} text={recordTexts.choose}>
        <Link href="/" class="button button-primary">
          {texts.maps.title}
        </Link>
      </EmptyState>
      <RecordChoices />
      <DiscardedRecordings />
    </Screen>
  );
}

/** Lists the current-state maps that were recorded last. A tap on a map starts a recording of it. */
function RecordChoices() {
  const maps = useValue(useGemba().maps$) ?? [];
  const choices = sortedByLastRecorded(maps.filter(({ archived, state }) => !archived && state === 'current')).slice(
    0,
    mapChoicesMax,
  );
  if (choices.length === 0) return null;
  return (
    <ul class="list" role="list" aria-label={recordTexts.choose}>
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
