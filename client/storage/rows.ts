/** The rows of records, outbox and drafts, and their ids. Photos and the relay have files of their own. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { MutationBody, RecordBody } from './row-shapes.ts';

export type { CarriedBody, HandOverBody } from './relay-row-shapes.ts';
export type {
  CachedMap,
  ForwardedOutcome,
  CursorBody,
  DeviceBody,
  FinishedTap,
  TapBody,
  MutationBody,
  OutboxBody,
  RecordBody,
  StartedTap,
  SteppedTap,
  TapAfterStart,
} from './row-shapes.ts';

export interface Row<Body> {
  id: string;
  body: Body;
}

export const cursorRowId = 'cursor';
export const recordRowId = ({ kind, id }: Pick<RecordChange, 'kind' | 'id'>): string => `${kind}|${id}`;
/** Splits the row id of a record into the record's kind and id. */
export const kindAndIdOf = (rowId: string) => rowId.split('|') as [kind: RecordBody['kind'], id: string];

export const deviceRowId = 'device';
/** Returns the row id of a transfer mark. */
export const transferMarkRowId = (mark: string): string => `moved|${mark}`;

const seqDigits = 16;

export const mutationRowId = (clientId: string, seq: number): string =>
  `mutation|${clientId}|${String(seq).padStart(seqDigits, '0')}`;

/** Returns the original client id and number of a mutation. */
export const originOf = ({ origin, client_id, seq }: Pick<MutationBody, 'origin' | 'client_id' | 'seq'>): string =>
  origin ?? `${client_id}|${seq}`;
