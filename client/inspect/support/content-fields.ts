/** The rules for the fields of maps, runs and mutation args in the support bundle. */
import type { MapState, WorkType } from '../../../shared/schema/fields.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { MutationArgs, MutationName } from '../../../shared/schema/mutation.ts';
import type { RecordingStep } from '../../../shared/schema/recording.ts';
import type { RunDoc, RunStep } from '../../../shared/schema/run.ts';
import type { Stage, StageReplacement } from '../../../shared/schema/stage.ts';
import {
  eachItem,
  fieldsIn,
  keepFlag,
  keepInstant,
  keepNumber,
  keepUuid,
  keepWord,
  replaceTextField,
  type ContentRule,
  type ContentRules,
} from './content-rules.ts';

const keepWorkType = keepWord<WorkType>({ valuable: true, incidental: true, waste: true });
const keepMapState = keepWord<MapState>({ current: true, future: true });

const stageTimes = {
  cycle_time_hrs: keepNumber,
  wait_time_hrs: keepNumber,
  work_type: keepWorkType,
  value_add: keepFlag,
};

const stageFields: ContentRules<Stage> = {
  id: keepNumber,
  map_id: keepUuid,
  stage: replaceTextField,
  order: keepNumber,
  ...stageTimes,
  aliases: eachItem(replaceTextField),
};

const replacementFields: ContentRules<StageReplacement> = {
  id: keepNumber,
  stage: replaceTextField,
  ...stageTimes,
  aliases: eachItem(replaceTextField),
};

const stepFields: ContentRules<RunStep> = {
  stage_name: replaceTextField,
  order: keepNumber,
  duration_secs: keepNumber,
  duration_estimated: keepFlag,
  work_type: keepWorkType,
  value_add: keepFlag,
  notes: replaceTextField,
  photos: eachItem(replaceTextField),
};

const recordedStepFields: ContentRules<RecordingStep> = { ...stepFields, interruption: keepFlag };

const mapFields: ContentRules<MapDoc> = {
  id: keepUuid,
  name: replaceTextField,
  industry: replaceTextField,
  description: replaceTextField,
  state: keepMapState,
  archived: keepFlag,
  deleted: keepFlag,
  deleted_at: keepInstant,
  created_at: keepInstant,
  updated_at: keepInstant,
  version: keepNumber,
  created_version: keepNumber,
  stage_count: keepNumber,
  run_count: keepNumber,
  last_run_at: keepInstant,
  last_run_number: keepNumber,
  stages: eachItem(fieldsIn(stageFields)),
};

const runLabels = {
  name: replaceTextField,
  tags: eachItem(replaceTextField),
  note: replaceTextField,
  excluded: fieldsIn<{ reason: string }>({ reason: replaceTextField }),
};

const runFields: ContentRules<RunDoc> = {
  id: keepNumber,
  map_id: keepUuid,
  number: keepNumber,
  recording_session_id: keepUuid,
  device_id: keepUuid,
  started_at: keepInstant,
  device_started_at: keepInstant,
  created_at: keepInstant,
  version: keepNumber,
  total_time_secs: keepNumber,
  value_add_time_secs: keepNumber,
  pce: keepNumber,
  step_count: keepNumber,
  ...runLabels,
  revision: keepNumber,
  steps: eachItem(fieldsIn(stepFields)),
  recorded_steps: eachItem(fieldsIn(stepFields)),
};

const recordFields = { map: mapFields, run: runFields };

export const recordContent: Record<keyof typeof recordFields, ContentRule> = {
  map: fieldsIn(recordFields.map),
  run: fieldsIn(recordFields.run),
};

/** Tells whether the support bundle has this field of a map or a run. */
export const isListedField = (kind: 'map' | 'run', name: string): boolean => Object.hasOwn(recordFields[kind], name);

const map_id = keepUuid;
const run_id = keepNumber;
const stage_id = keepNumber;
const stage_ids = eachItem(keepNumber);
const steps = eachItem(fieldsIn(recordedStepFields));

const recordingFields = {
  map_id,
  recording_session_id: keepUuid,
  started_at: keepInstant,
  steps,
  stages: keepWord<NonNullable<MutationArgs['upload_recording']['stages']>>({ keep: true, merge: true, replace: true }),
  digest: replaceTextField,
  run_id,
  stage_ids,
};

const newMapFields = {
  name: replaceTextField,
  industry: replaceTextField,
  description: replaceTextField,
  state: keepMapState,
};

const newStageFields = { map_id, stage_id, stage: replaceTextField, order: keepNumber, ...stageTimes };

const argsFields: { readonly [Name in MutationName]: ContentRules<MutationArgs[Name]> } = {
  create_map: { map_id, ...newMapFields },
  update_map: { map_id, ...newMapFields, archived: keepFlag },
  delete_map: { map_id },
  restore_map: { map_id },
  add_stage: newStageFields,
  update_stage: { ...newStageFields, aliases: eachItem(replaceTextField) },
  delete_stage: { map_id, stage_id },
  reorder_stages: { map_id, stage_ids },
  replace_stages: { map_id, stages: eachItem(fieldsIn(replacementFields)), stage_ids },
  upload_recording: recordingFields,
  record_new_map: { ...recordingFields, name: replaceTextField },
  update_run: { run_id, ...runLabels },
  correct_run: { run_id, steps },
  delete_run: { run_id },
};

const argsContents = new Map(Object.entries(argsFields).map(([name, fields]) => [name, fieldsIn<object>(fields)]));

/** Returns the rule for a mutation's args. The args of an unknown mutation are left out. */
export const argsContent = (mutationName: string): ContentRule => argsContents.get(mutationName) ?? (() => undefined);
