import { toFullMap, newMap, withStages } from '../../../shared/domain/map.ts';
import type { FullMap } from '../../../shared/schema/map.ts';
import type { Stage } from '../../../shared/schema/stage.ts';

const mapId = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';

type Times = Partial<Pick<Stage, 'stage' | 'work_type' | 'cycle_time_hrs' | 'wait_time_hrs'>>;

export function mapOf(stages: Times[], name = 'Press line'): FullMap {
  const all = stages.map((fields, index): Stage => ({
    id: index + 1,
    map_id: mapId,
    order: index + 1,
    stage: `Stage ${index + 1}`,
    work_type: 'valuable',
    cycle_time_hrs: 0.25,
    wait_time_hrs: 0,
    value_add: true,
    ...fields,
  }));
  return toFullMap(withStages(newMap(mapId, { name }, '2026-07-01T08:00:00.000Z'), all));
}
