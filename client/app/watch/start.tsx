import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import type { Gemba } from '../../client.ts';
import { useGemba, useValue } from '../shell/engine.tsx';
import { lastRecordedFirst } from '../shell/last-recorded.ts';
import { Link } from '../shell/router.tsx';
import { moment } from '../text/format.ts';
import { texts } from '../text/texts.ts';
import { WatchFace } from './face.tsx';
import { tap } from './tap.ts';
import { watchTexts } from '../text/watch.ts';

interface Way {
  key: string;
  name: string;
  look: 'plain' | 'primary' | 'quiet';
  go(): Promise<unknown>;
}

/** What may be recorded: the map that was last recorded comes first, a new process follows it, then the others. */
export function Start() {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  const discarded = useValue(gemba.discardedRecordings$);
  const [beginning, begin] = useState(false);
  const unpaired = useValue(gemba.status$)?.error?.code === 'unauthorized';
  if (!maps || !discarded) return <WatchFace class="watch-list">{null}</WatchFace>;
  const known = lastRecordedFirst(maps).map(({ id, name }): Way => ({
    key: id,
    name,
    look: 'plain',
    go: () => gemba.startRecording({ mapId: id }),
  }));
  const givenUp = discarded.map(({ recording_session_id, map_id, new_map_name }): Way => {
    const name = new_map_name ?? maps.find(({ id }) => id === map_id)?.name ?? texts.record.title;
    const go = () => gemba.restoreRecording(recording_session_id);
    return { key: recording_session_id, name: watchTexts.resumeMap(name), look: 'quiet', go };
  });
  const take = async (go: Way['go']) => {
    begin(true);
    try {
      await tap(go);
    } finally {
      begin(false);
    }
  };
  const ways = [...known.slice(0, 1), newProcess(gemba), ...known.slice(1), ...givenUp];
  return (
    <WatchFace class="watch-list">
      <h1>{texts.record.title}</h1>
      {unpaired && (
        <Link href="/watch/pair" class="button button-danger button-wide">
          {texts.pair.again}
        </Link>
      )}
      <List
        label={texts.maps.title}
        items={ways}
        rowHeight={rowHeight()}
        keyOf={({ key }) => key}
        row={({ name, look, go }) => (
          <Button
            look={look}
            {...(look === 'primary' ? { icon: 'plus' as const } : {})}
            wide
            disabled={beginning}
            onClick={() => take(go)}
          >
            {name}
          </Button>
        )}
      />
    </WatchFace>
  );
}

const newProcess = (gemba: Gemba): Way => ({
  key: 'new',
  name: texts.record.newMap,
  look: 'primary',
  // By its time it is told from the other new ones.
  go: () => gemba.startRecording({ newMap: { name: watchTexts.newMap(moment(new Date().toISOString())) } }),
});

/** As watch.css has it: 56 of the 192 parts of the screen. */
const rowHeight = (): number => (Math.min(innerWidth, innerHeight) * 56) / 192;
