import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { List } from '../../ui/list.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { dateTimeText } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { phoneTexts } from '../../text/phone.ts';
import { recycleBinTexts } from '../../text/phone-maps.ts';

export function BinScreen() {
  const gemba = useGemba();
  const maps = useValue(gemba.deletedMaps$);
  const restore = async ({ id, name }: { id: string; name: string }) => {
    if (!(await succeededOrToast(gemba.restoreMap(id)))) return;
    showToast({ text: recycleBinTexts.restored(name), undo: () => void succeededOrToast(gemba.deleteMap(id)) });
  };
  return (
    <Screen title={phoneTexts.maps.bin} back="/">
      {maps?.length === 0 && <EmptyState title={recycleBinTexts.emptyTitle} text={recycleBinTexts.emptyText} />}
      {maps && maps.length > 0 && (
        <List
          label={phoneTexts.maps.bin}
          items={maps}
          rowHeight={88}
          keyOf={({ id }) => id}
          row={(map) => (
            <div class="list-row">
              <div class="list-text">
                <p class="list-name">{map.name}</p>
                <p class="soft small">
                  {map.deleted_at ? dateTimeText(map.deleted_at) : texts.maps.figures(map.stage_count, map.run_count)}
                </p>
              </div>
              <Button onClick={() => restore(map)} aria-label={`${recycleBinTexts.restore} ${map.name}`}>
                {recycleBinTexts.restore}
              </Button>
            </div>
          )}
        />
      )}
    </Screen>
  );
}
