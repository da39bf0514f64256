// Made by `npm run generate` from the schemas in shared/schema and client/storage/row-shapes.ts.
import type { ValidateFunction } from 'ajv';
export const tapped_step: ValidateFunction;
export const new_map: ValidateFunction;
