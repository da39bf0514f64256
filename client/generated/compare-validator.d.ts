// Made by `npm run generate` from the schemas in shared/schema and client/storage/row-shapes.ts.
import type { ValidateFunction } from 'ajv';
export const compare: ValidateFunction;
import type { ListLimits } from '../../shared/schema/field-errors.ts';
export const lists: {
  compare?: ListLimits;
};
