import { Button } from '../../ui/button.tsx';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { dateTimeText } from '../../text/format.ts';
import { recordTexts } from '../../text/phone-on-demand.ts';
import { runsTexts } from '../../text/phone-runs.ts';
import { texts } from '../../text/texts.ts';

export function DiscardedRecordings() {
  const gemba = useGemba();
  const discarded = useValue(gemba.discardedRecordings$) ?? [];
  const maps = useValue(gemba.maps$) ?? [];
  if (discarded.length === 0) return null;
  return (
    <section class="stack" aria-label={recordTexts.discarded}>
      <h2>{recordTexts.discarded}</h2>
      <ul class="list" role="list">
        {discarded.map(({ recording_session_id, map_id, new_map_name, steps, discarded_at }) => {
          const name = new_map_name ?? maps.find(({ id }) => id === map_id)?.name ?? texts.record.title;
          return (
            <li key={recording_session_id}>
              <div class="list-row discarded-row">
                <div class="list-text">
                  <p class="list-name">{name}</p>
                  <p class="soft small">
                    {runsTexts.steps(steps.length)} · {dateTimeText(discarded_at)}
                  </p>
                </div>
                <Button
                  aria-label={recordTexts.resume(name, dateTimeText(discarded_at))}
                  onClick={() => runWithVibration(() => gemba.restoreRecording(recording_session_id))}
                >
                  {texts.record.resume}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
