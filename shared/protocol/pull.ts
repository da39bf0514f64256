/** `GET /sync/pull`: the records that changed after a cursor, each once and in its latest state. */
import type { MapDoc } from '../schema/map.ts';
import type { RunDoc } from '../schema/run.ts';
import type { Problem } from './problem.ts';

/** The kinds of records that a pull may ask for. Every pull also brings the device's own `client` record. */
export const recordKinds = ['map', 'run'] as const;
export type RecordKind = (typeof recordKinds)[number];

/**
 * How far the server got with one device's mutations. A pull brings it together with the effects of those mutations.
 */
export interface ClientDoc {
  last_seq: number;
  /**
   * The highest number whose answer the device acknowledged; the server forgets those answers. Like `chain`, an older
   * server leaves it out.
   */
  acked_seq?: number;
  /** Proves which mutations the numbers up to `last_seq` have (chain.ts). */
  chain?: string;
  /** The refused mutations whose answers the device has not acknowledged yet. */
  rejections: { seq: number; error: Problem }[];
}

interface ChangeOf<Kind extends string, Id, Doc> {
  kind: Kind;
  id: Id;
  /** The account's version when the record was last written. */
  version: number;
  deleted: boolean;
  /** Absent when `deleted`. */
  doc?: Doc;
}

type MapChange = ChangeOf<'map', string, MapDoc>;
type RunChange = ChangeOf<'run', number, RunDoc>;
type ClientChange = ChangeOf<'client', string, ClientDoc>;
export type RecordChange = MapChange | RunChange | ClientChange;

export interface PullResponse {
  changes: RecordChange[];
  cursor: string;
  has_more: boolean;
  /** Identifies the history of the store; restoring a backup changes it. */
  epoch: string;
  /** The account that owns the records. */
  account_id: string;
}
