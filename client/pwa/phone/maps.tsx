import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { List } from '../components/list.tsx';
import { Screen } from '../components/screen.tsx';
import { useGemba, useValue } from '../engine.tsx';
import { Link, navigate } from '../router.tsx';
import { texts } from '../texts.ts';

const rowHeight = 76;

export function Maps() {
  const maps = useValue(useGemba().maps$);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.maps.new}
    </Button>
  );
  return (
    <Screen title={texts.maps.title} actions={maps && maps.length > 0 && create}>
      {maps?.length === 0 && (
        <EmptyState title={texts.maps.emptyTitle} text={texts.maps.emptyText}>
          {create}
        </EmptyState>
      )}
      {maps && maps.length > 0 && (
        <List
          label={texts.maps.title}
          items={maps}
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
      <NewMap open={creating} onClose={() => setCreating(false)} />
    </Screen>
  );
}

function NewMap({ open, onClose }: { open: boolean; onClose(): void }) {
  const gemba = useGemba();
  const [name, setName] = useState('');
  const create = async (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const { map_id } = await gemba.createMap({ name: name.trim() });
    onClose();
    setName('');
    navigate(`/maps/${map_id}`);
  };
  return (
    <Dialog open={open} title={texts.maps.new} onClose={onClose}>
      <form class="stack" onSubmit={create}>
        <Field label={texts.maps.name} hint={texts.maps.nameHint} value={name} onValue={setName} maxLength={200} />
        <Button type="submit" look="primary" wide>
          {texts.maps.create}
        </Button>
      </form>
    </Dialog>
  );
}
