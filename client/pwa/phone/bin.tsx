import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { List } from '../components/list.tsx';
import { Screen } from '../components/screen.tsx';
import { toast } from '../components/toast.tsx';
import { useGemba, useValue } from '../engine.tsx';
import { moment, texts } from '../texts.ts';
import { tried } from './tried.ts';
import { words } from './words.ts';

export function Bin() {
  const gemba = useGemba();
  const maps = useValue(gemba.deletedMaps$);
  const restore = async ({ id, name }: { id: string; name: string }) => {
    if (!(await tried(gemba.restoreMap(id)))) return;
    toast({ text: words.map.restored(name), undo: () => void tried(gemba.deleteMap(id)) });
  };
  return (
    <Screen title={words.maps.bin} back="/">
      {maps?.length === 0 && <EmptyState title={words.maps.binEmptyTitle} text={words.maps.binEmptyText} />}
      {maps && maps.length > 0 && (
        <List
          label={words.maps.bin}
          items={maps}
          rowHeight={88}
          keyOf={({ id }) => id}
          row={(map) => (
            <div class="list-row">
              <div class="list-text">
                <p class="list-name">{map.name}</p>
                <p class="soft small">
                  {map.deleted_at ? moment(map.deleted_at) : texts.maps.figures(map.stage_count, map.run_count)}
                </p>
              </div>
              <Button onClick={() => restore(map)} aria-label={`${words.map.restore} ${map.name}`}>
                {words.map.restore}
              </Button>
            </div>
          )}
        />
      )}
    </Screen>
  );
}
