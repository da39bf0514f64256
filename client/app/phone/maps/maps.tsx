import type { MapRecord } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { texts } from '../../text/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import {
  OnDemandLoadingProgress,
  OnDemandMapDialog,
  OnDemandNoMaps,
  OnDemandNoMapsFound,
  OnDemandUntrustedNotice,
} from '../use-on-demand.tsx';
import { phoneTexts } from '../../text/phone.ts';
import { useKeptMapList, type MapFilter } from './kept-map-list.ts';

const mapRowHeight = 84;

/** Lists the maps. Marks the map with the id `currentId`: a desk shows this map beside the list. */
export function MapsScreen({ currentId }: { currentId?: string | undefined }) {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  // Undefined until the engine is open. Until then `maps` has only the maps that the last visit stored.
  const status = useValue(gemba.status$);
  const [isCreating, setCreating] = useState(false);
  const { query, setQuery, filter, setFilter } = useKeptMapList({ isShown: maps !== undefined });
  const createButton = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.maps.new}
    </Button>
  );
  const actions = (
    <>
      <Link
        href="/maps/bin"
        class="button button-quiet button-icon"
        aria-label={phoneTexts.maps.bin}
        title={phoneTexts.maps.bin}
      >
        <Icon name="bin" />
      </Link>
      {maps && maps.length > 0 && createButton}
    </>
  );
  const shown = maps?.filter((map) => matchesFilterAndQuery(map, filter, query));
  return (
    <Screen title={texts.maps.title} actions={actions}>
      <OnDemandUntrustedNotice />
      <OnDemandLoadingProgress />
      {maps?.length === 0 && <OnDemandNoMaps>{createButton}</OnDemandNoMaps>}
      {maps && maps.length > 0 && (
        <div class="map-filter">
          <Field
            label={phoneTexts.maps.search}
            placeholder={phoneTexts.maps.search}
            value={query}
            onValue={setQuery}
            enterkeyhint="search"
            autocomplete="off"
          />
          <RadioGroup
            label={phoneTexts.maps.filter}
            labelHidden
            options={phoneTexts.maps.filters}
            value={filter}
            onValue={setFilter}
          />
        </div>
      )}
      {status && shown?.length === 0 && maps?.length !== 0 && (
        <OnDemandNoMapsFound isArchive={filter === 'archived' && !query} />
      )}
      {shown && shown.length > 0 && (
        <List
          label={texts.maps.title}
          items={shown}
          rowHeight={mapRowHeight}
          keyOf={({ id }) => id}
          row={({ id, name, state, stage_count, run_count, pending }) => (
            <Link href={`/maps/${id}`} class="list-row" aria-current={id === currentId ? 'true' : undefined}>
              <div class="list-text">
                <p class="list-name">{name}</p>
                <p class="soft small">
                  {state === 'future' && `${phoneTexts.maps.filters.future} · `}
                  {pending ? texts.maps.pending : texts.maps.figures(stage_count, run_count)}
                </p>
              </div>
              <Icon name="forward" />
            </Link>
          )}
        />
      )}
      <OnDemandMapDialog open={isCreating} onClose={() => setCreating(false)} />
    </Screen>
  );
}

/** Only the filter 'archived' shows archived maps; 'all' leaves them out. */
function matchesFilterAndQuery({ name, archived, state }: MapRecord, filter: MapFilter, query: string): boolean {
  const isListed = filter === 'archived' ? archived : !archived && (filter === 'all' || filter === state);
  return isListed && name.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase());
}
