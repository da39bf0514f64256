import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { List } from '../components/list.tsx';
import { Screen } from '../components/screen.tsx';
import { WorkTypeBadge } from '../components/work-type.tsx';
import { useGemba, useValueOf } from '../engine.tsx';
import { navigate } from '../router.tsx';
import { duration, number, texts } from '../texts.ts';

const rowHeight = 76;
const secsPerHour = 3_600;

export function MapScreen({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  if (!map)
    return (
      <Screen title={texts.map.gone} back="/">
        {null}
      </Screen>
    );
  const record = async () => {
    await gemba.startRecording({ mapId });
    navigate('/record');
  };
  return (
    <Screen title={map.name} back="/">
      <Button look="primary" icon="record" wide onClick={record}>
        {texts.map.record}
      </Button>
      {map.stages.length === 0 ? (
        <EmptyState title={texts.map.stages} text={texts.map.noStages} />
      ) : (
        <List
          label={texts.map.stages}
          items={map.stages}
          rowHeight={rowHeight}
          keyOf={({ id }) => id}
          row={({ order, stage, cycle_time_hrs, work_type }) => (
            <div class="list-row">
              <span class="stage-position">{number(order)}</span>
              <div class="list-text">
                <p class="list-name">{stage}</p>
                <p class="soft small">{duration(cycle_time_hrs * secsPerHour)}</p>
              </div>
              <WorkTypeBadge type={work_type} />
            </div>
          )}
        />
      )}
    </Screen>
  );
}
