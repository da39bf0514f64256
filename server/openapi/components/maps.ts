import { Page } from '../../../shared/schema/answers.ts';
import { MapState } from '../../../shared/schema/fields.ts';
import { Analytics, FullMap, MapDoc, MapPatch, MapRecord, NewMap, WorkTypeShare } from '../../../shared/schema/map.ts';
import { answerSchema, enumSchema, requestSchema, type Component } from '../component.ts';

const mapFields = {
  id: 'Stands for `{id}` in paths. The server makes UUIDs of version 7; a client may bring its own.',
  name: 'What people call the process, trimmed.',
  industry: 'The trade that the process belongs to, in your words. Lists can be filtered by it. Default: empty.',
  description: 'Anything worth knowing about the process. Default: empty.',
  state: 'Whether the map shows the process as it is or as it should become. Default: `current`.',
  archived: 'Put aside, but neither changed nor hidden. Lists can be filtered by it.',
  deleted: 'In the recycle bin.',
  deleted_at: 'When it was put into the recycle bin; null outside.',
  created_at: 'When it was created.',
  updated_at: 'When it was last written, its stages included.',
  version: "The account's version at which the map was last written. The ETag is made of it.",
  created_version: "The account's version at which the map was first written. Lists are ordered by it, newest first.",
  stage_count: 'How many stages it has.',
  run_count: 'How many runs it has.',
  last_run_at: 'When the newest run that still exists was taken in; null without runs.',
  last_run_number: 'The highest run number ever given, so that none is reused.',
};

const stages = 'All stages in their order.';

export const mapComponents: Record<string, Component> = {
  MapState: enumSchema(MapState, 'A process as it is, `current`, or as it should become, `future`.'),

  Map: answerSchema(MapRecord, { description: 'A map as lists carry it: without its stages.', fields: mapFields }),

  MapWithStages: answerSchema(MapDoc, {
    description: 'A map with its stages: one document.',
    fields: { ...mapFields, stages },
  }),

  FullMap: answerSchema(FullMap, {
    description: 'A map with its stages and its analytics.',
    fields: { ...mapFields, stages, analytics: 'What its stages add up to.' },
  }),

  Analytics: answerSchema(Analytics, {
    description: 'What the stages of a map add up to.',
    fields: {
      stage_count: 'How many stages the map has.',
      total_cycle_time_hrs: 'Time worked, in hours, over all stages.',
      total_wait_time_hrs: 'Time waited, in hours, over all stages.',
      lead_time_hrs: 'Cycle time and wait time together, in hours.',
      value_add_time_hrs: 'Cycle time of the `valuable` stages, in hours.',
      pce: 'Process cycle efficiency: value-add time ÷ lead time, from 0 to 1; null when the lead time is 0.',
      by_work_type: 'The same, split by the classification of the work.',
      run_count: 'How many runs the map has.',
      last_run_at: 'When the newest run that still exists was taken in; null without runs.',
    },
  }),

  WorkTypeShare: answerSchema(WorkTypeShare, {
    description: 'What the stages of one work type add up to.',
    fields: {
      stages: 'How many stages are of this type.',
      cycle_time_hrs: 'Their time worked, in hours.',
      wait_time_hrs: 'Their time waited, in hours.',
    },
  }),

  MapPage: answerSchema(Page(MapRecord), {
    description: 'A page of maps, newest first.',
    fields: { data: 'The maps of this page.', next_cursor: 'Where the next page begins; null on the last one.' },
  }),

  NewMap: requestSchema(NewMap, {
    description: 'A map to create.',
    fields: {
      id: 'Your own id for the map, final. Left out, the server makes one.',
      name: mapFields.name,
      industry: mapFields.industry,
      description: mapFields.description,
      state: mapFields.state,
    },
  }),

  MapPatch: requestSchema(MapPatch, {
    description: 'Only what is to change; what is left out stays as it is.',
    fields: {
      name: mapFields.name,
      industry: 'The trade that the process belongs to.',
      description: 'Anything worth knowing about the process.',
      state: 'Whether the map shows the process as it is or as it should become.',
      archived: 'True puts the map aside, false takes it up again.',
    },
  }),
};
