import type { Analytics, MapDoc, WorkTypeShare } from '../schema/map.ts';
import type { Stage } from '../schema/stage.ts';
import type { workTypes } from './stages/work-type.ts';

/**
 * The analytics summary of a map, in hours. Process cycle efficiency (PCE) is value-add time over lead time, where the
 * lead time is cycle plus wait time and only `valuable` stages add value (George, *Lean Six Sigma*, 2002).
 */
export function analyticsOf(map: Pick<MapDoc, 'stages' | 'run_count' | 'last_run_at'>): Analytics {
  const by_work_type = {
    valuable: workTypeShare(map.stages.filter(({ work_type }) => work_type === 'valuable')),
    incidental: workTypeShare(map.stages.filter(({ work_type }) => work_type === 'incidental')),
    waste: workTypeShare(map.stages.filter(({ work_type }) => work_type === 'waste')),
  } satisfies Record<(typeof workTypes)[number], WorkTypeShare>;
  const all = workTypeShare(map.stages);
  const lead_time_hrs = all.cycle_time_hrs + all.wait_time_hrs;
  const value_add_time_hrs = by_work_type.valuable.cycle_time_hrs;
  return {
    stage_count: all.stages,
    total_cycle_time_hrs: all.cycle_time_hrs,
    total_wait_time_hrs: all.wait_time_hrs,
    lead_time_hrs,
    value_add_time_hrs,
    pce: cycleEfficiency(value_add_time_hrs, lead_time_hrs),
    by_work_type,
    run_count: map.run_count,
    last_run_at: map.last_run_at,
  };
}

/** Returns value-add time over total time, a fraction from 0 to 1; null if no time passed. */
export function cycleEfficiency(valueAddTime: number, totalTime: number): number | null {
  return totalTime === 0 ? null : valueAddTime / totalTime;
}

function workTypeShare(stages: Stage[]): WorkTypeShare {
  return {
    stages: stages.length,
    cycle_time_hrs: sum(stages.map((stage) => stage.cycle_time_hrs)),
    wait_time_hrs: sum(stages.map((stage) => stage.wait_time_hrs)),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
