/** An entry of the outbox is a mutation in one of five states. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { ForwardedOutcome, MutationBody } from '../../storage/rows.ts';

/** The fields that a stored row and an entry of any state have in common. */
export type MutationFields = Pick<
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

/**
 * The content that a push sends under the entry's sequence number: the mutation, or a noop that only fills the number.
 */
export type Payload =
  | { kind: 'mutation' }
  /** A new mutation under another sequence number replaced this mutation (`is_void` in the stored row). */
  | { kind: 'noop'; because: 'replaced' }
  /** The server cannot accept the mutation, and a person will see the reason (`withdrawn` in the stored row). */
  | { kind: 'noop'; because: 'unsendable'; reason: Problem };

interface EntryFields extends MutationFields {
  /**
   * When a pull last proved that the server has the recording; null before. A recording that is sent again keeps the
   * time until the next proof. The stored row calls this field `acknowledged_at`.
   */
  proven_at: string | null;
}

interface SendableFields extends EntryFields {
  seq: number;
  payload: Payload;
}

/** A mutation of this device that is not yet known to be done or refused. */
export interface PendingEntry extends SendableFields {
  state: 'pending';
}

/** A mutation made under another client id. A push keeps the original client id and sequence number of the mutation. */
export interface ForwardedEntry extends SendableFields {
  state: 'forwarded';
  /** Forwarded entries are pushed in this order, since an entry may depend on an earlier one. */
  forwardOrder?: number;
  /**
   * The answer to the push of this entry, and the cursor when the answer came. Records pulled with a later cursor
   * include the effects of the mutation.
   */
  answer?: { cursor: string; outcome: ForwardedOutcome };
}

/**
 * A settled entry that moved to a new client id has no number under that client id. Its `order`, 0 or less, sorts the
 * entry before all numbered entries.
 */
export type EntryNumber = { kind: 'numbered'; seq: number } | { kind: 'unnumbered'; order: number };

interface SettledFields extends EntryFields {
  number: EntryNumber;
}

/** A mutation that the server refused, and that waits for a person's decision. */
export interface RefusedEntry extends SettledFields {
  state: 'refused';
  error: Problem;
}

/** A recording that the server has. The device keeps a copy in case the server loses the recording. */
export interface ReceiptEntry extends SettledFields {
  state: 'receipt';
}

/** A refused mutation that a person discarded, and may want to restore. */
export interface DiscardedEntry extends SettledFields {
  state: 'discarded';
  error: Problem;
  discarded_at?: string;
}

export type SendableEntry = PendingEntry | ForwardedEntry;
export type RefusedOrDiscardedEntry = RefusedEntry | DiscardedEntry;
export type SettledEntry = RefusedOrDiscardedEntry | ReceiptEntry;
export type OutboxEntry = SendableEntry | SettledEntry;
export type EntryState = OutboxEntry['state'];
export type EntryOfState<State extends EntryState> = Extract<OutboxEntry, { state: State }>;

/** Returns the entry's sequence number; for an unnumbered entry, its order. The public API calls both `seq`. */
export function numberOf(entry: OutboxEntry): number {
  if (!('number' in entry)) return entry.seq;
  return entry.number.kind === 'numbered' ? entry.number.seq : entry.number.order;
}

/** Sorts entries of one client id in the order in which the mutations were made. */
export const byNumber = (a: OutboxEntry, b: OutboxEntry): number => numberOf(a) - numberOf(b);

export const mutationPayload: Payload = { kind: 'mutation' };
export const replacedPayload: Payload = { kind: 'noop', because: 'replaced' };

export const isReplaced = ({ payload }: SendableEntry): boolean =>
  payload.kind === 'noop' && payload.because === 'replaced';

/** Returns the payload for a new sequence number. Sends an unsendable mutation again: the server may accept it now. */
export const renumberedPayload = (entry: SendableEntry): Payload =>
  isReplaced(entry) ? replacedPayload : mutationPayload;

/** Returns why the mutation cannot be sent; undefined if it can be sent. */
export const unsendableReason = ({ payload }: SendableEntry): Problem | undefined =>
  'reason' in payload ? payload.reason : undefined;

/** For an unsendable mutation, the server refused only the noop, so the device's own reason replaces `error`. */
export const toRefusedEntry = (entry: SendableEntry, error: Problem): RefusedEntry => ({
  ...toSettledFields(entry),
  state: 'refused',
  error: unsendableReason(entry) ?? error,
});

export const toReceiptEntry = (entry: SendableEntry, proven_at: string): ReceiptEntry => ({
  ...toSettledFields(entry),
  state: 'receipt',
  proven_at,
});

function toSettledFields(entry: Omit<ForwardedEntry, 'state'> & Pick<SendableEntry, 'state'>): SettledFields {
  const { state: _state, seq, payload: _payload, forwardOrder: _forwardOrder, answer: _answer, ...fields } = entry;
  return { ...fields, number: { kind: 'numbered', seq } };
}
