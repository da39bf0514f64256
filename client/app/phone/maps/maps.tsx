import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { texts } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { MapDialog } from './map-dialog.tsx';
import { phoneTexts } from '../../text/phone.ts';

const rowHeight = 84;
/** Fewer are there before anybody could read of them. */
const comingMin = 200;

type Filter = keyof typeof phoneTexts.maps.filters;

export function Maps() {
  const gemba = useGemba();
  const maps = useValue(gemba.maps$);
  // Before, it is only the first of them.
  const status = useValue(gemba.status$);
  const [creating, setCreating] = useState(false);
  const [searched, search] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.maps.new}
    </Button>
  );
  const actions = (
    <>
      <Link href="/maps/bin" class="button button-quiet button-icon" aria-label={phoneTexts.maps.bin} title={phoneTexts.maps.bin}>
        <Icon name="bin" />
      </Link>
      {maps && maps.length > 0 && create}
    </>
  );
  const shown = maps?.filter((map) => fits(map, filter, searched));
  return (
    <Screen title={texts.maps.title} actions={actions}>
      <Coming />
      {maps?.length === 0 && <NoMaps>{create}</NoMaps>}
      {maps && maps.length > 0 && (
        <div class="sift">
          <Field label={phoneTexts.maps.search} value={searched} onValue={search} enterkeyhint="search" autocomplete="off" />
          <Choice
            label={phoneTexts.maps.filter}
            labelHeard
            options={phoneTexts.maps.filters}
            value={filter}
            onValue={setFilter}
          />
        </div>
      )}
      {status && shown?.length === 0 && maps!.length > 0 && (
        <NothingFits archive={filter === 'archived' && !searched} />
      )}
      {shown && shown.length > 0 && (
        <List
          label={texts.maps.title}
          items={shown}
          rowHeight={rowHeight}
          keyOf={({ id }) => id}
          row={({ id, name, stage_count, run_count, pending }) => (
            <Link href={`/maps/${id}`} class="list-row">
              <div class="list-text">
                <p class="list-name">{name}</p>
                <p class="soft small">{pending ? texts.maps.pending : texts.maps.figures(stage_count, run_count)}</p>
              </div>
              <Icon name="forward" />
            </Link>
          )}
        />
      )}
      <MapDialog open={creating} onClose={() => setCreating(false)} />
    </Screen>
  );
}

/** A long pull: what it brings stands in the list already. */
function Coming() {
  const progress = useValue(useGemba().status$)?.progress;
  if (!progress || progress.total !== null || progress.done < comingMin) return null;
  const said = phoneTexts.maps.coming(progress.done);
  return (
    <div class="coming">
      <p class="soft small">{said}</p>
      <progress aria-label={said} />
    </div>
  );
}

/** Before the first word of the server no map is here, which does not say that there is none. */
function NoMaps({ children }: { children: ComponentChildren }) {
  const status = useValue(useGemba().status$);
  if (!status) return null;
  const { emptyTitle, emptyText } = texts.maps;
  const { awaitedTitle, awaitedText, comingTitle, comingText } = phoneTexts.maps;
  const [title, text] =
    status.last_synced_at !== null
      ? [emptyTitle, emptyText]
      : status.phase === 'syncing'
        ? [comingTitle, comingText]
        : [awaitedTitle, awaitedText];
  return (
    <EmptyState title={title} text={text}>
      {title === comingTitle && <progress aria-label={title} />}
      {children}
    </EmptyState>
  );
}

/** All are those that are not in the archive. */
function fits({ name, archived, state }: MapRecord, filter: Filter, searched: string): boolean {
  const place = filter === 'archived' ? archived : !archived && (filter === 'all' || filter === state);
  return place && name.toLocaleLowerCase().includes(searched.trim().toLocaleLowerCase());
}

const NothingFits = ({ archive }: { archive: boolean }) =>
  archive ? (
    <EmptyState title={phoneTexts.maps.archiveEmptyTitle} text={phoneTexts.maps.archiveEmptyText} />
  ) : (
    <EmptyState title={phoneTexts.maps.nothingTitle} text={phoneTexts.maps.nothingText} />
  );
