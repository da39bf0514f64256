/** An entry of the outbox is a mutation in one of five states. parse-entry.ts converts stored rows into entries and back. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { ForwardedOutcome, MutationBody } from '../../storage/rows.ts';

/** Fields that mean the same in every state. */
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

/** The content that a push sends under the entry's number: the mutation itself, or a noop that only fills the number. */
export type Payload =
  | { kind: 'mutation' }
  /** The same work was recorded again under another number, so this number has nothing left to do. */
  | { kind: 'noop'; because: 'replaced' }
  /** The mutation cannot be sent, and a person will be shown the reason. */
  | { kind: 'noop'; because: 'unsendable'; reason: Problem };

interface NumberedFields extends MutationFields {
  seq: number;
  payload: Payload;
  /** When a pull first showed a recording on the server; the time stays when the recording is sent again. */
  acknowledged_at: string | null;
}

/** A mutation of this device that is not yet known to be done or refused. */
export interface PendingEntry extends NumberedFields {
  state: 'pending';
}

/** A mutation made under another client id, which this device pushes under that client id and number. */
export interface ForwardedEntry extends NumberedFields {
  state: 'forwarded';
  /** Orders all forwarded entries of all client ids, since they may depend on each other. */
  turn?: number;
  /** The answer to its push, and the cursor of the base at that time: a base with a later cursor includes its effects. */
  answer?: { cursor: string; outcome: ForwardedOutcome };
}

/** The place in the order of this device's mutations: entries without a number ("waiting") come before all numbers. */
export type EntryNumber = { kind: 'numbered'; seq: number } | { kind: 'unnumbered'; order: number };

interface SettledFields extends MutationFields {
  number: EntryNumber;
  acknowledged_at: string | null;
}

/** A mutation that the server refused, and that waits for a person's decision. */
export interface RefusedEntry extends SettledFields {
  state: 'refused';
  error: Problem;
}

/** A recording that the server has, kept on the device in case the server loses that recording. */
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
export type SettledEntry = RefusedEntry | ReceiptEntry | DiscardedEntry;
export type OutboxEntry = SendableEntry | SettledEntry;
export type EntryState = OutboxEntry['state'];
export type EntryIn<State extends EntryState> = Extract<OutboxEntry, { state: State }>;

/** The entry's number, or its order if it has no number; sorts entries of one client id. The public API calls it `seq`. */
export function numberOf(entry: OutboxEntry): number {
  if (!('number' in entry)) return entry.seq;
  return entry.number.kind === 'numbered' ? entry.number.seq : entry.number.order;
}

export const byNumber = (a: OutboxEntry, b: OutboxEntry): number => numberOf(a) - numberOf(b);

export const mutationPayload: Payload = { kind: 'mutation' };
export const replacedPayload: Payload = { kind: 'noop', because: 'replaced' };

/** Whether the entry's work was recorded again under another number. */
export const isReplaced = ({ payload }: SendableEntry): boolean =>
  payload.kind === 'noop' && payload.because === 'replaced';

/** The payload under another number: the mutation, even if it was withdrawn before, unless its work was made again. */
export const renumberedPayload = (entry: SendableEntry): Payload =>
  isReplaced(entry) ? replacedPayload : mutationPayload;

/** Why the entry cannot be sent; undefined if it can. */
export const unsendableReason = ({ payload }: SendableEntry): Problem | undefined =>
  payload.kind === 'noop' && payload.because === 'unsendable' ? payload.reason : undefined;

/** If the device sent a noop because the mutation was unsendable, that reason is shown instead of the server's `error`. */
export const toRefused = (entry: SendableEntry, error: Problem): RefusedEntry => ({
  ...toSettledFields(entry),
  state: 'refused',
  error: unsendableReason(entry) ?? error,
});

export const toReceipt = (entry: SendableEntry, acknowledged_at: string): ReceiptEntry => ({
  ...toSettledFields(entry),
  state: 'receipt',
  acknowledged_at,
});

function toSettledFields(entry: SendableEntry): SettledFields {
  const number: EntryNumber = { kind: 'numbered', seq: entry.seq };
  if (entry.state === 'pending') {
    const { state: _state, seq: _seq, payload: _payload, ...work } = entry;
    return { ...work, number };
  }
  const { state: _state, seq: _seq, payload: _payload, turn: _turn, answer: _answer, ...work } = entry;
  return { ...work, number };
}
