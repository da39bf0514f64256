/** Finds one of many maps by the first letter of its name. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import { texts } from '../../text/texts.ts';
import { watchTexts } from '../../text/watch.ts';
import { WatchFrame } from '../frame.tsx';
import { WatchName } from '../watch-name.tsx';
import { mapsByLetter } from './map-letters.ts';
import { RoundButton } from '../round-button.tsx';
import { rowHeight } from './row-height.ts';

interface FindMapScreenProps {
  maps: readonly MapRecord[];
  disabled: boolean;
  onMap(mapId: string): void;
  onBack(): void;
}

export function FindMapScreen({ maps, disabled, onMap, onBack }: FindMapScreenProps) {
  const [letter, setLetter] = useState<string>();
  // Scroll to the top, since the list, the letters and the maps of a letter share the scroll position of one page.
  useLayoutEffect(() => scrollTo(0, 0), [letter]);
  const groups = mapsByLetter(maps);
  const ofLetter = groups.find(([known]) => known === letter)?.[1];
  if (letter === undefined || !ofLetter) {
    return (
      <WatchFrame class="watch-list">
        <h1>{watchTexts.letters}</h1>
        <RoundButton icon="back" label={texts.back} onClick={onBack} />
        <ul class="watch-letters" role="list">
          {groups.map(([known]) => (
            <li key={known}>
              <Button onClick={() => setLetter(known)}>{known}</Button>
            </li>
          ))}
        </ul>
      </WatchFrame>
    );
  }
  return (
    <WatchFrame class="watch-list">
      <h1>{letter}</h1>
      <RoundButton icon="back" label={watchTexts.letters} onClick={() => setLetter(undefined)} />
      <List
        label={letter}
        items={ofLetter}
        rowHeight={rowHeight()}
        keyOf={({ id }) => id}
        row={({ id, name }) => (
          <Button wide disabled={disabled} onClick={() => onMap(id)}>
            <WatchName>{name}</WatchName>
          </Button>
        )}
      />
    </WatchFrame>
  );
}
