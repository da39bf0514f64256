import type { FullMap } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { texts } from '../../text/texts.ts';
import { stageTexts } from '../../text/phone-on-demand.ts';
import { StageDialog } from './stage-dialog.tsx';
import { StageList } from './stage-list.tsx';

export interface StageSectionProps {
  map: Pick<FullMap, 'id' | 'stages'>;
}

export function StageSection({ map: { id, stages } }: StageSectionProps) {
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {stageTexts.add}
    </Button>
  );
  const stopAdding = () => setAdding(false);
  if (stages.length === 0) {
    return (
      <EmptyState title={stageTexts.emptyTitle} text={stageTexts.emptyText}>
        {add}
        <StageDialog mapId={id} stage={undefined} open={isAdding} stageCount={0} move={() => {}} onClose={stopAdding} />
      </EmptyState>
    );
  }
  return (
    <>
      <div class="section-head">
        <h2>{texts.map.stages}</h2>
        {add}
      </div>
      <StageList mapId={id} stages={stages} isAdding={isAdding} onAdded={stopAdding} />
    </>
  );
}
