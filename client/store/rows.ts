/** The rows of a device's three collections, and their ids. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { RecordBody } from './row-shapes.ts';

export type {
  CachedMap,
  CarriedOutcome,
  CursorBody,
  DeviceBody,
  DraftBody,
  MutationBody,
  OutboxBody,
  RecordBody,
  Stamp,
  StartedTap,
  SteppedTap,
  Tap,
} from './row-shapes.ts';

export interface Row<Body> {
  id: string;
  body: Body;
}

export const cursorRowId = 'cursor';
export const recordRowId = ({ kind, id }: Pick<RecordChange, 'kind' | 'id'>): string => `${kind}|${id}`;
/** The kind and the id in the id of a row of records; a removed row has nothing else. The cursor has no id. */
export const recordOfRowId = (rowId: string) => rowId.split('|') as [kind: RecordBody['kind'], id: string];

export const deviceRowId = 'device';
export const movedRowId = (mark: string): string => `moved|${mark}`;
