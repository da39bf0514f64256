/** A command that replaces a map's stages by the steps of a run. A dialog first names the stages that this removes. */
import type { FullMap, RunDoc } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Commands } from '../../ui/commands.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { replaceStagesTexts } from '../../text/phone-maps.ts';
import { proposeRunStages } from './map-change.ts';
import { useReplaceStages } from './use-replace-stages.ts';

/** The dialog names at most this many removed stages, and says how many others there are. */
const namedStagesMax = 8;

export function ReplaceStagesCommand({ run }: { run: RunDoc }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(run.map_id), [gemba, run.map_id]);
  const [isAsking, setAsking] = useState(false);
  if (!map || map.deleted) return null;
  const close = () => setAsking(false);
  return (
    <>
      <Commands commands={[{ label: replaceStagesTexts.use, run: () => setAsking(true) }]} />
      <Dialog open={isAsking} title={replaceStagesTexts.ask(map.name)} onClose={close}>
        <ReplaceStagesQuestion map={map} run={run} onClose={close} />
      </Dialog>
    </>
  );
}

function ReplaceStagesQuestion({ map, run, onClose }: { map: FullMap; run: RunDoc; onClose(): void }) {
  const { isSaving, save } = useReplaceStages(map, onClose);
  const { stages, removed, addedCount } = proposeRunStages(map.stages, run);
  const named = removed.slice(0, namedStagesMax).map(({ stage }) => stage);
  const unnamedCount = removed.length - named.length;
  const keptCount = stages.length - addedCount;
  return (
    <>
      {keptCount > 0 && <p>{replaceStagesTexts.kept(keptCount)}</p>}
      {addedCount > 0 && <p>{replaceStagesTexts.added(addedCount)}</p>}
      {named.length > 0 && (
        <p>
          {replaceStagesTexts.removed(unnamedCount > 0 ? [...named, replaceStagesTexts.more(unnamedCount)] : named)}
        </p>
      )}
      <Button look="primary" wide disabled={isSaving} onClick={() => save(stages, replaceStagesTexts.changed)}>
        {replaceStagesTexts.save}
      </Button>
    </>
  );
}
