/** Converts stored rows into entries and back. Pure. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import { currentVersion, upcast } from '../../../shared/schema/mutation-versions.ts';
import { mutationRowId, type MutationBody, type OutboxBody, type Row } from '../../storage/rows.ts';
import {
  mutationPayload,
  replacedPayload,
  numberOf,
  type OutboxEntry,
  type Payload,
  type EntryNumber,
} from './entry.ts';

export function parseEntry(row: MutationBody): OutboxEntry {
  const { kind: _kind, seq, state, error, acknowledged_at: proven_at, ...rest } = withCurrentArgs(row);
  // `fields` includes fields that only a newer version of the app knows, so that this version does not lose them.
  const { discarded_at, is_void = false, withdrawn, answer, place: forwardOrder, ...fields } = rest;
  const payload = payloadOf({ is_void, withdrawn });
  const number = entryNumberOf(seq);
  switch (state) {
    case 'pending':
      return { ...fields, state, seq, payload, proven_at };
    case 'carried':
      return {
        ...fields,
        state: 'forwarded',
        seq,
        payload,
        proven_at,
        ...(forwardOrder === undefined ? {} : { forwardOrder }),
        ...(answer === undefined ? {} : { answer }),
      };
    case 'refused':
      return { ...fields, state, number, error: error ?? outcomeUnknownProblem, proven_at };
    case 'discarded': {
      const at = discarded_at === undefined ? {} : { discarded_at };
      return { ...fields, state, number, error: error ?? outcomeUnknownProblem, proven_at, ...at };
    }
    case 'receipt':
      return { ...fields, state, number, proven_at };
  }
}

/** A stored `seq` below 1 is not a number of the sequence, but the order of an unnumbered entry. */
const entryNumberOf = (seq: number): EntryNumber =>
  seq < 1 ? { kind: 'unnumbered', order: seq } : { kind: 'numbered', seq };

function payloadOf({ is_void, withdrawn }: { is_void: boolean; withdrawn: Problem | undefined }): Payload {
  if (is_void) return replacedPayload;
  return withdrawn === undefined ? mutationPayload : { kind: 'noop', because: 'unsendable', reason: withdrawn };
}

/** Upcasts args to the current shape if an earlier version of the app stored them. */
function withCurrentArgs(row: MutationBody): MutationBody {
  const version = currentVersion(row.name);
  if (row.is_void || (row.version ?? 1) >= version) return row;
  const args = upcast(row);
  if (!args) return row;
  return { ...row, args, version, made_as: row.made_as ?? { version: row.version ?? 1, args: row.args } };
}

/** The reason of a refused mutation whose outcome the server forgot. */
export const outcomeUnknownProblem: Problem = {
  ...deviceProblemOf({
    code: 'internal_error',
    detail: 'The server no longer has the outcome of this: send it again if it is missing.',
  }),
  title: 'The outcome is not known',
};

export const rowIdOf = (entry: OutboxEntry): string => mutationRowId(entry.client_id, numberOf(entry));

export const outboxRowOf = (entry: OutboxEntry): Row<OutboxBody> => ({ id: rowIdOf(entry), body: rowBodyOf(entry) });

export function rowBodyOf(entry: OutboxEntry): MutationBody {
  const seq = numberOf(entry);
  switch (entry.state) {
    case 'pending': {
      const { payload, proven_at: acknowledged_at, ...fields } = entry;
      return { ...fields, kind: 'mutation', error: null, acknowledged_at, ...payloadFields(payload) };
    }
    case 'forwarded': {
      const { payload, forwardOrder, proven_at: acknowledged_at, ...fields } = entry;
      const place = forwardOrder === undefined ? {} : { place: forwardOrder };
      const body = { ...fields, kind: 'mutation', state: 'carried', error: null, acknowledged_at } as const;
      return { ...body, ...payloadFields(payload), ...place };
    }
    case 'receipt': {
      const { number: _number, proven_at: acknowledged_at, ...fields } = entry;
      return { ...fields, kind: 'mutation', seq, error: null, acknowledged_at };
    }
    default: {
      const { number: _number, proven_at: acknowledged_at, ...fields } = entry;
      return { ...fields, kind: 'mutation', seq, acknowledged_at };
    }
  }
}

function payloadFields(payload: Payload): Pick<MutationBody, 'is_void' | 'withdrawn'> {
  if (payload.kind === 'mutation') return {};
  return payload.because === 'replaced' ? { is_void: true } : { withdrawn: payload.reason };
}
