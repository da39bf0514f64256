/** The rules for the fields of maps, runs and mutation args in the support bundle. */
import type { MapState, WorkType } from '../../../shared/schema/fields.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { MutationArgs, MutationName } from '../../../shared/schema/mutation.ts';
import type { RecordingStep } from '../../../shared/schema/recording.ts';
import type { RunDoc, RunStep } from '../../../shared/schema/run.ts';
import type { Stage, StageReplacement } from '../../../shared/schema/stage.ts';
import {
  itemsRule,
  objectRule,
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

const stageTimeFields = {
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
  ...stageTimeFields,
  aliases: itemsRule(replaceTextField),
};

const replacementFields: ContentRules<StageReplacement> = {
  id: keepNumber,
  stage: replaceTextField,
  ...stageTimeFields,
  aliases: itemsRule(replaceTextField),
};

const stepFields: ContentRules<RunStep> = {
  stage_name: replaceTextField,
  order: keepNumber,
  duration_secs: keepNumber,
  duration_estimated: keepFlag,
  work_type: keepWorkType,
  value_add: keepFlag,
  notes: replaceTextField,
  photos: itemsRule(replaceTextField),
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
  stages: itemsRule(objectRule(stageFields)),
};

const runLabelFields = {
  name: replaceTextField,
  tags: itemsRule(replaceTextField),
  note: replaceTextField,
  excluded: objectRule<{ reason: string }>({ reason: replaceTextField }),
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
  ...runLabelFields,
  revision: keepNumber,
  steps: itemsRule(objectRule(stepFields)),
  recorded_steps: itemsRule(objectRule(stepFields)),
};

const recordFields = { map: mapFields, run: runFields };

export const recordRules: Record<keyof typeof recordFields, ContentRule> = {
  map: objectRule(recordFields.map),
  run: objectRule(recordFields.run),
};

/** Tells whether the support bundle has this field of a map or a run. */
export const isListedField = (kind: 'map' | 'run', name: string): boolean => Object.hasOwn(recordFields[kind], name);

/**
 * The rules of frequent fields. Each rule has the name of its field, so that a table can use shorthand, such as
 * `map_id`.
 */
const map_id = keepUuid;
const run_id = keepNumber;
const stage_id = keepNumber;
const stage_ids = itemsRule(keepNumber);
const steps = itemsRule(objectRule(recordedStepFields));

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

const newStageFields = { map_id, stage_id, stage: replaceTextField, order: keepNumber, ...stageTimeFields };

const argsFields: { readonly [Name in MutationName]: ContentRules<MutationArgs[Name]> } = {
  create_map: { map_id, ...newMapFields },
  update_map: { map_id, ...newMapFields, archived: keepFlag },
  delete_map: { map_id },
  restore_map: { map_id },
  add_stage: newStageFields,
  update_stage: { ...newStageFields, aliases: itemsRule(replaceTextField) },
  delete_stage: { map_id, stage_id },
  reorder_stages: { map_id, stage_ids },
  replace_stages: { map_id, stages: itemsRule(objectRule(replacementFields)), stage_ids },
  upload_recording: recordingFields,
  record_new_map: { ...recordingFields, name: replaceTextField },
  update_run: { run_id, ...runLabelFields },
  correct_run: { run_id, steps },
  delete_run: { run_id },
};

const rulesOfArgs = new Map(Object.entries(argsFields).map(([name, fields]) => [name, objectRule<object>(fields)]));

/** Returns the rule for a mutation's args. The args of an unknown mutation are left out. */
export const argsRuleOf = (mutationName: string): ContentRule => rulesOfArgs.get(mutationName) ?? (() => undefined);
