import { Type, type Static } from 'typebox';
import { Closed, GivenName, IntegerId, Name, Uuid, WorkType } from './fields.ts';
import { stagesPerMapMax, stageTimeHrsMax } from './limits.ts';

export const Order = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, description: 'an integer from 1' });
export const StageTimeHrs = Type.Number({
  minimum: 0,
  maximum: stageTimeHrsMax,
  description: `a number of hours from 0 to ${stageTimeHrsMax}`,
});
export const ValueAdd = Type.Boolean({ description: 'true or false', deprecated: true });

/** A stage as it is stored, synced and answered. `order` is its position, 1..n without gaps. */
export const Stage = Closed({
  id: IntegerId,
  map_id: Uuid,
  stage: Name,
  order: Order,
  cycle_time_hrs: StageTimeHrs,
  wait_time_hrs: StageTimeHrs,
  work_type: WorkType,
  value_add: ValueAdd,
});
export type Stage = Static<typeof Stage>;

const changeable = {
  order: Type.Optional(Order),
  cycle_time_hrs: Type.Optional(StageTimeHrs),
  wait_time_hrs: Type.Optional(StageTimeHrs),
  work_type: Type.Optional(WorkType),
  value_add: Type.Optional(ValueAdd),
};

/** The body of `POST /maps/{id}/stages`. */
export const NewStage = Closed({ stage: GivenName, ...changeable });
export type NewStage = Static<typeof NewStage>;

/** The body of `PATCH /maps/{id}/stages/{stage_id}`: only what is to change. */
export const StagePatch = Closed({ stage: Type.Optional(GivenName), ...changeable });
export type StagePatch = Static<typeof StagePatch>;

/** The body of `POST /maps/{id}/stages/reorder`: the map's stage ids in the desired order. */
export const StageOrder = Closed({ stage_ids: Type.Array(IntegerId, { maxItems: stagesPerMapMax }) });
export type StageOrder = Static<typeof StageOrder>;
