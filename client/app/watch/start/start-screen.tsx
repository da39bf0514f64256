import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import type { Gemba } from '../../../client.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { sortedByLastRecorded } from '../../shell/last-recorded.ts';
import { chooseTimeNotation, timeNotation$ } from '../../shell/time-notation.ts';
import { Link } from '../../shell/router.tsx';
import { isCertificateUntrusted$ } from '../../shell/updates.ts';
import { shortDateTimeText, timeOrDayText } from '../../text/format-watch.ts';
import { texts } from '../../text/texts.ts';
import { FindMapScreen } from './find-map.tsx';
import { WatchFrame } from '../frame.tsx';
import { WatchName } from '../watch-name.tsx';
import { computeRowHeight } from './row-height.ts';
import { isGapRecorded$, setGapRecorded } from '../../recorder/cycle-gap.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { loadAttentionTexts, watchTexts } from '../../text/watch.ts';
import { loadHandOverScreen, type HandOverScreen } from '../hand-over/load-hand-over.ts';
import { RefusedRunsScreen } from './refused-runs.tsx';

/**
 * A longer list takes too long to scroll on a watch. If there are more maps, the watch lists only the `recentMapsMax`
 * maps recorded last.
 */
const listedMapsMax = 20;
const recentMapsMax = 8;

interface StartOption {
  key: string;
  name: string;
  /** The steps and the time of a recording, which tell recordings of the same name apart. */
  facts?: string;
  look: 'plain' | 'primary' | 'quiet';
  start(): Promise<unknown>;
}

export function StartScreen() {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  const discarded = useValue(gemba.discardedRecordings$);
  const [isStarting, setStarting] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const notation = useValue(timeNotation$) ?? 'clock';
  const isGapRecorded = useValue(isGapRecorded$) ?? false;
  const isUntrusted = useValue(isCertificateUntrusted$);
  const status = useValue(gemba.status$);
  const isUnpaired = status?.error?.code === 'unauthorized';
  const [isRefusedShown, setRefusedShown] = useState(false);
  const [HandOver, setHandOver] = useState<{ Screen: HandOverScreen }>();
  if (!maps || !discarded) return <WatchFrame class="watch-list">{null}</WatchFrame>;
  const listed = maps.length > listedMapsMax ? recentMapsMax : maps.length;
  const startMap = (mapId: string) => gemba.startRecording({ mapId });
  const mapOptions = sortedByLastRecorded(maps)
    .slice(0, listed)
    .map(({ id, name }): StartOption => ({
      key: id,
      name,
      look: 'plain',
      start: () => startMap(id),
    }));
  const discardedOptions = discarded.map(
    ({ recording_session_id, map_id, new_map_name, steps, started_at }): StartOption => {
      const name = new_map_name ?? maps.find(({ id }) => id === map_id)?.name ?? texts.record.title;
      const start = () => gemba.restoreRecording(recording_session_id);
      const facts = watchTexts.stepsAndTime(steps.length, timeOrDayText(started_at));
      return { key: recording_session_id, name: watchTexts.resumeMap(name), facts, look: 'quiet', start };
    },
  );
  const showRefused = async () => {
    await loadAttentionTexts();
    setRefusedShown(true);
  };
  const run = async (start: StartOption['start']) => {
    setStarting(true);
    try {
      await runWithVibration(start);
    } finally {
      setStarting(false);
    }
  };
  const options = [...mapOptions.slice(0, 1), newProcessOption(gemba), ...mapOptions.slice(1), ...discardedOptions];
  if (HandOver) return <HandOver.Screen onBack={() => setHandOver(undefined)} />;
  if (isRefusedShown) return <RefusedRunsScreen onBack={() => setRefusedShown(false)} />;
  if (isFinding) {
    return (
      <FindMapScreen
        maps={maps}
        disabled={isStarting}
        onMap={(mapId) => void run(() => startMap(mapId))}
        onBack={() => setFinding(false)}
      />
    );
  }
  return (
    <WatchFrame class="watch-list">
      <h1>{texts.record.title}</h1>
      {isUnpaired && (
        <Link href="/watch/pair" class="button button-danger button-wide">
          <span>
            {watchTexts.pairAgain}
            {status.pending > 0 && <small>{watchTexts.onWatch(watchTexts.runCount(status.pending))}</small>}
          </span>
        </Link>
      )}
      {status && status.attention > 0 && (
        <Button look="danger" wide onClick={() => runWithVibration(showRefused)}>
          {watchTexts.status.attention(status.attention)}
        </Button>
      )}
      {isUntrusted && <p class="watch-notice">{watchTexts.untrusted}</p>}
      <List
        label={texts.maps.title}
        items={options}
        rowHeight={computeRowHeight()}
        keyOf={({ key }) => key}
        row={({ name, facts, look, start }) => (
          <Button
            look={look}
            {...(look === 'primary' ? { icon: 'plus' as const } : {})}
            wide
            disabled={isStarting}
            onClick={() => run(start)}
          >
            <WatchName>{name}</WatchName>
            {facts && <small>{facts}</small>}
          </Button>
        )}
      />
      <HandOverOffer onOpen={(Screen) => setHandOver({ Screen })} />
      {maps.length === 0 && <p class="watch-notice">{watchTexts.noMaps}</p>}
      {listed < maps.length && (
        <Button wide onClick={() => setFinding(true)}>
          {watchTexts.allMaps(maps.length)}
        </Button>
      )}
      <Button look="quiet" wide onClick={() => chooseTimeNotation(notation === 'clock' ? 'centiminute' : 'clock')}>
        {watchTexts.times[notation]}
      </Button>
      <Button look="quiet" wide onClick={() => setGapRecorded(!isGapRecorded)}>
        {isGapRecorded ? watchTexts.skipGap : watchTexts.recordGap}
      </Button>
    </WatchFrame>
  );
}

/** Offers the hand-over by QR codes while the watch has unsent runs. */
function HandOverOffer({ onOpen }: { onOpen(screen: HandOverScreen): void }) {
  const pending = useValue(useGemba().status$)?.pending ?? 0;
  if (pending === 0) return null;
  return (
    <Button wide onClick={() => runWithVibration(async () => onOpen(await loadHandOverScreen()))}>
      {watchTexts.handOver}
      <small>{watchTexts.onWatch(watchTexts.runCount(pending))}</small>
    </Button>
  );
}

const newProcessOption = (gemba: Gemba): StartOption => ({
  key: 'new',
  name: watchTexts.newProcess,
  look: 'primary',
  // The time in the name tells several new processes apart.
  start: () =>
    gemba.startRecording({ newMap: { name: watchTexts.newMap(shortDateTimeText(new Date().toISOString())) } }),
});
