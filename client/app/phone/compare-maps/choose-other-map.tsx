import type { MapRecord } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { mapsSideBySideTexts, mapDialogTexts } from '../../text/phone-maps.ts';
import { phoneTexts } from '../../text/phone.ts';

const mapRowHeight = 84;
/** A list with fewer maps has no search field. */
const searchableCountMin = 8;

/** Lists the maps to compare a map with. Maps of the other state (current or future) come first. */
export function ChooseOtherMapScreen({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  const map = maps?.find(({ id }) => id === mapId);
  const others = (maps ?? [])
    .filter(({ id }) => id !== mapId)
    .toSorted((a, b) => Number(a.state === map?.state) - Number(b.state === map?.state));
  return (
    <Screen title={mapsSideBySideTexts.title} back={`/maps/${mapId}`}>
      <p class="soft">{maps && others.length === 0 ? mapsSideBySideTexts.none : mapsSideBySideTexts.choose}</p>
      <MapChoices mapId={mapId} others={others} />
    </Screen>
  );
}

function MapChoices({ mapId, others }: { mapId: string; others: MapRecord[] }) {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLocaleLowerCase();
  const shown = others.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {others.length >= searchableCountMin && (
        <Field
          label={phoneTexts.maps.search}
          value={query}
          onValue={setQuery}
          enterkeyhint="search"
          autocomplete="off"
        />
      )}
      {shown.length > 0 && (
        <List
          label={mapsSideBySideTexts.choose}
          items={shown}
          rowHeight={mapRowHeight}
          keyOf={({ id }) => id}
          row={({ id, name, state }) => (
            <Link href={`/maps/${mapId}/beside/${id}`} class="list-row">
              <div class="list-text">
                <p class="list-name">{name}</p>
                <p class="soft small">{mapDialogTexts.states[state]}</p>
              </div>
              <Icon name="forward" />
            </Link>
          )}
        />
      )}
    </>
  );
}
