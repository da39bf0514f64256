/** `GET /sync/pull`: what changed after a cursor, each record once at its latest. */
import type { MapDoc } from '../schema/map.ts';
import type { RunDoc } from '../schema/run.ts';
import type { Problem } from './problem.ts';

/** The kinds that a pull may ask for; the device's own `client` record comes with either. */
export const recordKinds = ['map', 'run'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** How far the server got with one device's mutations. It travels in the same stream as their effects. */
export interface ClientDoc {
  last_seq: number;
  /** Up to here a device acknowledged the answers, which are forgotten. Absent from an earlier server, like `chain`. */
  acked_seq?: number;
  /** Proves which work the numbers up to `last_seq` stand for (chain.ts). */
  chain?: string;
  /** The refused mutations whose answer the device has not acknowledged. */
  rejections: { seq: number; error: Problem }[];
}

interface ChangeOf<Kind extends string, Id, Doc> {
  kind: Kind;
  id: Id;
  /** The account's version at which the record was last written. */
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
  /** Changes when the store was restored from a backup. */
  epoch: string;
  /** Whose records these are. */
  account_id: string;
}
