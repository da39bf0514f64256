/** Shows the value stream and the trend of the selected map until a run or a comparison opens in their place. */
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useOnDemandModule } from '../phone/use-on-demand.tsx';
import { deskTexts } from '../text/desk.ts';

export function MapOverview({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const onDemand = useOnDemandModule();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const runs = useValueOf(() => gemba.runs$(mapId), [gemba, mapId]) ?? [];
  const hasStages = map && map.stages.length > 0;
  return (
    <section class="pane-hint pane-overview" aria-label={deskTexts.overview}>
      {onDemand && hasStages && <onDemand.Ladder map={map} />}
      {onDemand && map && <onDemand.Trend map={map} runs={runs} startsOpen />}
      <EmptyState title={deskTexts.chooseRun} text={deskTexts.chooseRunText} />
    </section>
  );
}
