import { Type, type Static } from 'typebox';
import { PageSchema } from './page.ts';
import { Closed, Described, NameInput, IntegerId, Name, Uuid, WorkType } from './fields.ts';
import { stageAliasesMax, stagesPerMapMax, stageTimeHrsMax } from './limits.ts';

export const Position = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 1, expected: 'an integer from 1' });
export const StageTimeHrs = Type.Number({
  minimum: 0,
  maximum: stageTimeHrsMax,
  expected: `a number of hours from 0 to ${stageTimeHrsMax}`,
});
const ValueAdd = Type.Boolean({ expected: 'true or false', deprecated: true });

export const WorkTypeInput = Described(
  WorkType,
  'How the work counts. It wins over `value_add` when both are sent. Default: what `value_add` says, else `incidental`.',
);
export const ValueAddInput = Described(
  ValueAdd,
  'Deprecated since 2026-04, still accepted: send `work_type`. Alone, true means `valuable` and false means `waste`.',
);
export const StoredWorkType = Described(WorkType, 'How the work counts.');
export const StoredValueAdd = Described(ValueAdd, 'Deprecated since 2026-04: whether `work_type` is `valuable`.');

/** A stage as the server stores, syncs and returns it. `order` is its position, 1..n without gaps. */
export const Stage = Closed(
  {
    id: Described(IntegerId, 'Stands for `{stage_id}` in paths. Unique in its map and never used again.'),
    map_id: Described(Uuid, 'The map of the stage.'),
    stage: Described(Name, 'What people call the stage.'),
    order: Described(Position, 'The position of the stage: 1, 2, 3... without gaps.'),
    cycle_time_hrs: Described(StageTimeHrs, 'Time worked, in hours.'),
    wait_time_hrs: Described(StageTimeHrs, 'The waiting time before the stage, in hours.'),
    work_type: StoredWorkType,
    value_add: StoredValueAdd,
    aliases: Described(
      Type.Optional(Type.Array(Name)),
      'Its earlier names, the latest first. Steps that were recorded under them count for this stage. Left out when it has none.',
    ),
  },
  { title: 'Stage', description: 'A stage of a map.' },
);
export type Stage = Static<typeof Stage>;

export const StagePage = PageSchema(Stage, {
  title: 'StagePage',
  description: 'A page of stages in their order.',
  data: 'The stages of this page.',
});

/** The body of `POST /maps/{id}/stages`. */
export const NewStage = Closed(
  {
    stage: Described(NameInput, 'What people call the stage, trimmed.'),
    order: Described(
      Type.Optional(Position),
      'The position at which to insert the stage; later stages move up by one. Without it, or with a position beyond the end, the stage becomes the last.',
    ),
    cycle_time_hrs: Described(Type.Optional(StageTimeHrs), 'Time worked, in hours. Default: 0.'),
    wait_time_hrs: Described(Type.Optional(StageTimeHrs), 'The waiting time before the stage, in hours. Default: 0.'),
    work_type: Type.Optional(WorkTypeInput),
    value_add: Type.Optional(ValueAddInput),
  },
  { title: 'NewStage', description: 'A stage to add.' },
);
export type NewStage = Static<typeof NewStage>;

/** The body of `PATCH /maps/{id}/stages/{stage_id}`: only the fields to change. */
export const StagePatch = Closed(
  {
    stage: Described(Type.Optional(NameInput), 'What people call the stage, trimmed.'),
    order: Described(
      Type.Optional(Position),
      'The position to which to move the stage; the stages in between move by one.',
    ),
    cycle_time_hrs: Described(Type.Optional(StageTimeHrs), 'Time worked, in hours.'),
    wait_time_hrs: Described(Type.Optional(StageTimeHrs), 'The waiting time before the stage, in hours.'),
    work_type: Described(Type.Optional(WorkType), 'How the work counts. It wins over `value_add` when both are sent.'),
    value_add: Type.Optional(ValueAddInput),
    aliases: Described(
      Type.Optional(Type.Array(NameInput, { maxItems: stageAliasesMax, expected: `up to ${stageAliasesMax} names` })),
      'Other names under which its steps were recorded. Left out, a new name adds the old one.',
    ),
  },
  { title: 'StagePatch', description: 'The fields to change. Absent fields stay as they are.' },
);
export type StagePatch = Static<typeof StagePatch>;

/** A stage in the body of `POST /maps/{id}/stages/replace`. */
export const StageReplacement = Closed(
  {
    id: Described(
      Type.Optional(IntegerId),
      'The id of a stage of the map, which is kept. Left out, or the id of no stage of the map, the stage is new.',
    ),
    stage: Described(NameInput, 'What people call the stage, trimmed.'),
    cycle_time_hrs: Described(
      Type.Optional(StageTimeHrs),
      'Time worked, in hours. Default: as before, and 0 for a new stage.',
    ),
    wait_time_hrs: Described(
      Type.Optional(StageTimeHrs),
      'The waiting time before the stage, in hours. Default: as before, and 0 for a new stage.',
    ),
    work_type: Described(
      Type.Optional(WorkType),
      'How the work counts. It wins over `value_add` if both are sent. Default: as before, and `incidental` for a new stage.',
    ),
    value_add: Type.Optional(ValueAddInput),
    aliases: Described(
      Type.Optional(Type.Array(NameInput, { maxItems: stageAliasesMax, expected: `up to ${stageAliasesMax} names` })),
      'Exactly these other names count for it. Left out, it takes those of the stage that it keeps or matches by name.',
    ),
  },
  { title: 'StageReplacement', description: 'A stage of the new list.' },
);
export type StageReplacement = Static<typeof StageReplacement>;

/** The body of `POST /maps/{id}/stages/replace`: all stages that the map shall have. */
export const StageReplacements = Closed(
  {
    stages: Described(
      Type.Array(StageReplacement, { maxItems: stagesPerMapMax, expected: `up to ${stagesPerMapMax} stages` }),
      'All stages in their order. A stage of the map whose id is not among them is deleted.',
    ),
  },
  { title: 'StageReplacements', description: 'All stages that the map will have.' },
);
export type StageReplacements = Static<typeof StageReplacements>;

/** The body of `POST /maps/{id}/stages/reorder`: all stage ids of the map in the new order. */
export const StageOrder = Closed(
  {
    stage_ids: Described(
      Type.Array(IntegerId, { maxItems: stagesPerMapMax }),
      'The id of every stage of the map, each once.',
    ),
  },
  { title: 'StageOrder', description: 'All stage ids of the map in the new order.' },
);
export type StageOrder = Static<typeof StageOrder>;
