/** Finds one of many maps by the first letter of its name or by a part of the name. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { nameLengthMax, type MapRecord } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import { texts } from '../../text/texts.ts';
import { watchTexts } from '../../text/watch.ts';
import { WatchFrame } from '../frame.tsx';
import { WatchName } from '../watch-name.tsx';
import { mapsByLetter, findMapsByName } from '../../recorder/map-letters.ts';
import { RoundButton } from '../round-button.tsx';
import { TextQuestion } from '../text-question.tsx';
import { computeRowHeight } from './row-height.ts';

interface FindMapScreenProps {
  maps: readonly MapRecord[];
  disabled: boolean;
  onMap(mapId: string): void;
  onBack(): void;
}

type ShownPart = { is: 'letters' } | { is: 'question' } | { is: 'letter' | 'text'; title: string };

export function FindMapScreen({ maps, disabled, onMap, onBack }: FindMapScreenProps) {
  const [shown, setShown] = useState<ShownPart>({ is: 'letters' });
  // Scroll to the top, since the list, the letters and the maps of a letter share the scroll position of one page.
  useLayoutEffect(() => scrollTo(0, 0), [shown]);
  const showLetters = () => setShown({ is: 'letters' });
  if (shown.is === 'question') {
    return (
      <TextQuestion
        label={watchTexts.searchAsk}
        lengthMax={nameLengthMax}
        stepCount={0}
        onText={async (title) => {
          setShown({ is: 'text', title });
          return true;
        }}
        onCancel={showLetters}
      />
    );
  }
  const groups = mapsByLetter(maps);
  if (shown.is === 'letters') {
    return (
      <WatchFrame class="watch-list">
        <h1>{watchTexts.letters}</h1>
        <div class="watch-actions">
          <RoundButton icon="back" label={texts.back} onClick={onBack} />
        </div>
        <Button wide onClick={() => setShown({ is: 'question' })}>
          {watchTexts.search}
        </Button>
        <ul class="watch-letters" role="list">
          {groups.map(([letter]) => (
            <li key={letter}>
              <Button onClick={() => setShown({ is: 'letter', title: letter })}>{letter}</Button>
            </li>
          ))}
        </ul>
      </WatchFrame>
    );
  }
  const { is, title } = shown;
  const found = is === 'text' ? findMapsByName(maps, title) : (groups.find(([letter]) => letter === title)?.[1] ?? []);
  return (
    <WatchFrame class="watch-list">
      <h1>
        <WatchName>{title}</WatchName>
      </h1>
      <div class="watch-actions">
        <RoundButton icon="back" label={watchTexts.letters} onClick={showLetters} />
      </div>
      {found.length === 0 ? (
        <p role="status">{watchTexts.noneFound}</p>
      ) : (
        <List
          label={title}
          items={found}
          rowHeight={computeRowHeight()}
          keyOf={({ id }) => id}
          row={({ id, name }) => (
            <Button wide disabled={disabled} onClick={() => onMap(id)}>
              <WatchName>{name}</WatchName>
            </Button>
          )}
        />
      )}
    </WatchFrame>
  );
}
