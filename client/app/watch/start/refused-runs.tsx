/**
 * Lists the runs that the server refused, with the reasons and the remedies that a watch offers. `attentionTexts` must
 * be loaded before the first render.
 */
import type { Attention, Remedy } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { timeOrDayText } from '../../text/format-watch.ts';
import { texts } from '../../text/texts.ts';
import { attentionTexts } from '../../text/watch.ts';
import { WatchFrame } from '../frame.tsx';
import { RoundButton } from '../round-button.tsx';
import { WatchName } from '../watch-name.tsx';

/**
 * A watch may not restore a map and has no form to edit a change. It therefore offers only the remedies that need
 * neither.
 */
const offeredRemedies: ReadonlySet<Remedy> = new Set(['send_again', 'save_as_new_map', 'new_id', 'discard']);

export function RefusedRunsScreen({ onBack }: { onBack(): void }) {
  const gemba = useGemba();
  const refused = useValue(gemba.attention$) ?? [];
  const discarded = useValue(gemba.discardedChanges$) ?? [];
  return (
    <WatchFrame class="watch-list">
      <h1>{refused.length > 0 ? attentionTexts.title : attentionTexts.emptyTitle}</h1>
      <div class="watch-actions">
        <RoundButton icon="back" label={texts.back} onClick={onBack} />
      </div>
      <ul class="watch-names" role="list" aria-label={attentionTexts.title}>
        {refused.map((run) => (
          <li key={run.seq} class="watch-refused">
            <RunFacts run={run} />
            <p class="watch-notice">{attentionTexts.message(run)}</p>
            {run.remedies
              .filter((remedy) => offeredRemedies.has(remedy))
              .map((remedy) => (
                <Button
                  key={remedy}
                  wide
                  look={remedy === 'discard' ? 'danger' : 'plain'}
                  onClick={() => runWithVibration(() => gemba.resolve(run.seq, remedy))}
                >
                  {attentionTexts.remedies[remedy]}
                </Button>
              ))}
          </li>
        ))}
      </ul>
      {discarded.length > 0 && (
        <>
          <h1>{attentionTexts.discardedTitle}</h1>
          <ul class="watch-names" role="list" aria-label={attentionTexts.discardedTitle}>
            {discarded.map((run) => (
              <li key={run.seq} class="watch-refused">
                <RunFacts run={run} />
                <Button wide onClick={() => runWithVibration(() => gemba.restoreChange(run.seq))}>
                  {attentionTexts.restoreChange}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </WatchFrame>
  );
}

function RunFacts({ run: { name, args, recorded_at } }: { run: Attention }) {
  const gemba = useGemba();
  const maps = [...(useValue(gemba.maps$) ?? []), ...(useValue(gemba.deletedMaps$) ?? [])];
  const newMapName = typeof args['name'] === 'string' ? args['name'] : undefined;
  const mapName = newMapName ?? maps.find(({ id }) => id === args['map_id'])?.name;
  return (
    <>
      <h2>
        <WatchName>{mapName ?? attentionTexts.names[name]}</WatchName>
      </h2>
      <small>{timeOrDayText(recorded_at)}</small>
    </>
  );
}
