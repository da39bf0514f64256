// Made by `npm run generate` from the schemas in shared/schema and client/storage/row-shapes.ts.
import type { ValidateFunction } from 'ajv';
export const create_map: ValidateFunction;
export const update_map: ValidateFunction;
export const delete_map: ValidateFunction;
export const restore_map: ValidateFunction;
export const add_stage: ValidateFunction;
export const update_stage: ValidateFunction;
export const delete_stage: ValidateFunction;
export const reorder_stages: ValidateFunction;
export const replace_stages: ValidateFunction;
export const upload_recording: ValidateFunction;
export const record_new_map: ValidateFunction;
export const update_run: ValidateFunction;
export const correct_run: ValidateFunction;
export const delete_run: ValidateFunction;
export const recording: ValidateFunction;
export const recording_step: ValidateFunction;
