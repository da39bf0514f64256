/** An entry of the outbox is a mutation in one of five states. parse-entry.ts makes entries of rows, and rows of entries. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { CarriedOutcome, MutationBody } from '../../storage/rows.ts';

/** Fields that mean the same in every state. */
export type Work = Pick<
  MutationBody,
  | 'client_id'
  | 'origin'
  | 'name'
  | 'args'
  | 'version'
  | 'made_as'
  | 'recorded_at'
  | 'former_session'
  | 'is_foreign'
  | 'is_renewed'
>;

/** The mutation itself goes to the server under its number, or a noop that gives the number up. */
export type Payload =
  | { kind: 'mutation' }
  /** The work was made again under another number. */
  | { kind: 'noop'; because: 'made_again' }
  /** The work cannot be sent: a person is told the reason. */
  | { kind: 'noop'; because: 'unsendable'; reason: Problem };

interface Numbered extends Work {
  seq: number;
  payload: Payload;
  /** When a pull first showed a recording on the server; the time stays when the recording is sent again. */
  acknowledged_at: string | null;
}

/** Made here, and not yet known to be done. */
export interface PendingEntry extends Numbered {
  state: 'pending';
}

/** Made under another client id, and pushed under that id and number. */
export interface ForwardedEntry extends Numbered {
  state: 'forwarded';
  /** The order among all forwarded entries, which may depend on each other. */
  position?: number;
  /** The answer to the push, and the cursor of the base then: a later base has the mutation's effects. */
  answer?: { cursor: string; outcome: CarriedOutcome };
}

/** The place among this device's mutations: an entry without a number waits below all numbers. */
export type Place = { kind: 'numbered'; seq: number } | { kind: 'waiting'; order: number };

interface Kept extends Work {
  place: Place;
  acknowledged_at: string | null;
}

/** The server refused it, and a person must look. */
export interface RefusedEntry extends Kept {
  state: 'refused';
  error: Problem;
}

/** A recording that the server has, kept in case the server loses it. */
export interface ReceiptEntry extends Kept {
  state: 'receipt';
}

/** A person gave it up, and may want it back. */
export interface DiscardedEntry extends Kept {
  state: 'discarded';
  error: Problem;
  discarded_at?: string;
}

export type SendableEntry = PendingEntry | ForwardedEntry;
export type KeptEntry = RefusedEntry | ReceiptEntry | DiscardedEntry;
export type OutboxEntry = SendableEntry | KeptEntry;
export type EntryState = OutboxEntry['state'];
export type EntryIn<State extends EntryState> = Extract<OutboxEntry, { state: State }>;

/** Sorts the entries of one client id; the public API calls it `seq`. */
export function positionOf(entry: OutboxEntry): number {
  if (!('place' in entry)) return entry.seq;
  return entry.place.kind === 'numbered' ? entry.place.seq : entry.place.order;
}

export const byPosition = (a: OutboxEntry, b: OutboxEntry): number => positionOf(a) - positionOf(b);

export const asMutation: Payload = { kind: 'mutation' };
export const madeAgain: Payload = { kind: 'noop', because: 'made_again' };

/** Whether another number has the entry's work now. */
export const isMadeAgain = ({ payload }: SendableEntry): boolean =>
  payload.kind === 'noop' && payload.because === 'made_again';

/** Under another number the entry is whole again, unless its work was made again. */
export const movedPayload = (entry: SendableEntry): Payload => (isMadeAgain(entry) ? madeAgain : asMutation);

/** Why the entry's work cannot be sent; undefined where it can. */
export const unsendableReason = ({ payload }: SendableEntry): Problem | undefined =>
  payload.kind === 'noop' && payload.because === 'unsendable' ? payload.reason : undefined;

/** The device's reason for a noop goes before the server's answer to it. */
export const refusedEntry = (entry: SendableEntry, error: Problem): RefusedEntry => ({
  ...keptFields(entry),
  state: 'refused',
  error: unsendableReason(entry) ?? error,
});

export const receiptEntry = (entry: SendableEntry, acknowledged_at: string): ReceiptEntry => ({
  ...keptFields(entry),
  state: 'receipt',
  acknowledged_at,
});

function keptFields(entry: SendableEntry): Kept {
  const place: Place = { kind: 'numbered', seq: entry.seq };
  if (entry.state === 'pending') {
    const { state: _state, seq: _seq, payload: _payload, ...work } = entry;
    return { ...work, place };
  }
  const { state: _state, seq: _seq, payload: _payload, position: _position, answer: _answer, ...work } = entry;
  return { ...work, place };
}
