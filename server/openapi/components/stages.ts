import { Page } from '../../../shared/schema/answers.ts';
import { WorkType } from '../../../shared/schema/fields.ts';
import { NewStage, Stage, StageOrder, StagePatch } from '../../../shared/schema/stage.ts';
import { answerSchema, enumSchema, requestSchema, type Component } from '../component.ts';

export const workTypeMeaning =
  'How the work counts. It wins over `value_add` when both are sent. Default: what `value_add` says, else `incidental`.';
export const valueAddMeaning =
  'Deprecated since 2026-04, still accepted: send `work_type`. Alone, true means `valuable` and false means `waste`.';

const orderMeaning = 'The position. Left out, the stage comes last; beyond the end too; otherwise the rest moves up.';

export const stageComponents: Record<string, Component> = {
  WorkType: enumSchema(
    WorkType,
    'How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.',
  ),

  Stage: answerSchema(Stage, {
    description: 'A stage of a map.',
    fields: {
      id: 'Stands for `{stage_id}` in paths. Unique in its map and never used again.',
      map_id: 'The map it belongs to.',
      stage: 'What people call the stage.',
      order: 'Its position: 1, 2, 3... without gaps.',
      cycle_time_hrs: 'Time worked, in hours.',
      wait_time_hrs: 'Time waited before it, in hours.',
      work_type: 'How the work counts.',
      value_add: 'Deprecated since 2026-04: whether `work_type` is `valuable`.',
    },
  }),

  StagePage: answerSchema(Page(Stage), {
    description: 'A page of stages in their order.',
    fields: { data: 'The stages of this page.', next_cursor: 'Where the next page begins; null on the last one.' },
  }),

  NewStage: requestSchema(NewStage, {
    description: 'A stage to add.',
    fields: {
      stage: 'What people call the stage, trimmed.',
      order: orderMeaning,
      cycle_time_hrs: 'Time worked, in hours. Default: 0.',
      wait_time_hrs: 'Time waited before it, in hours. Default: 0.',
      work_type: workTypeMeaning,
      value_add: valueAddMeaning,
    },
  }),

  StagePatch: requestSchema(StagePatch, {
    description: 'Only what is to change; what is left out stays as it is.',
    fields: {
      stage: 'What people call the stage, trimmed.',
      order: 'The position to move to; the stages in between give way.',
      cycle_time_hrs: 'Time worked, in hours.',
      wait_time_hrs: 'Time waited before it, in hours.',
      work_type: 'How the work counts. It wins over `value_add` when both are sent.',
      value_add: valueAddMeaning,
    },
  }),

  StageOrder: requestSchema(StageOrder, {
    description: "The map's stages in the order that you want.",
    fields: { stage_ids: 'The id of every stage of the map, each once.' },
  }),
};
