/** Converts stored rows into entries and back, so that entries can change while the format of the rows stays. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
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
  const { kind: _kind, seq, state, error, acknowledged_at, ...rest } = withCurrentArgs(row);
  // `work` also keeps fields that only a newer version of the app knows.
  const { discarded_at, is_void = false, withdrawn, answer, place: turn, ...work } = rest;
  const payload = payloadOf({ is_void, withdrawn });
  const number = entryNumberOf(seq);
  switch (state) {
    case 'pending':
      return { ...work, state, seq, payload, acknowledged_at };
    case 'carried':
      return {
        ...work,
        state: 'forwarded',
        seq,
        payload,
        acknowledged_at,
        ...(turn === undefined ? {} : { turn }),
        ...(answer === undefined ? {} : { answer }),
      };
    case 'refused':
      return { ...work, state, number, error: error ?? outcomeUnknownProblem, acknowledged_at };
    case 'discarded': {
      const at = discarded_at === undefined ? {} : { discarded_at };
      return { ...work, state, number, error: error ?? outcomeUnknownProblem, acknowledged_at, ...at };
    }
    case 'receipt':
      return { ...work, state, number, acknowledged_at };
  }
}

/** A row whose `seq` is below 1 has no number: that `seq` only orders it among the waiting rows. */
const entryNumberOf = (seq: number): EntryNumber =>
  seq < 1 ? { kind: 'unnumbered', order: seq } : { kind: 'numbered', seq };

function payloadOf({ is_void, withdrawn }: { is_void: boolean; withdrawn: Problem | undefined }): Payload {
  if (is_void) return replacedPayload;
  return withdrawn === undefined ? mutationPayload : { kind: 'noop', because: 'unsendable', reason: withdrawn };
}

/** Converts the args of a row that an earlier version of the app wrote to the current version. */
function withCurrentArgs(row: MutationBody): MutationBody {
  const version = currentVersion(row.name);
  if (row.is_void || (row.version ?? 1) >= version) return row;
  const args = upcast(row);
  if (!args) return row;
  return { ...row, args, version, made_as: row.made_as ?? { version: row.version ?? 1, args: row.args } };
}

/** The reason of a refused entry whose own reason is unknown, since the server forgot the answer. */
export const outcomeUnknownProblem: Problem = {
  ...problemOf({
    code: 'internal_error',
    detail: 'The server had it once, and no longer knows how that ended: send it again if it is missing.',
  }),
  title: 'The outcome is not known',
};

export const rowIdOf = (entry: OutboxEntry): string => mutationRowId(entry.client_id, numberOf(entry));

export const rowOf = (entry: OutboxEntry): Row<OutboxBody> => ({ id: rowIdOf(entry), body: bodyOf(entry) });

export function bodyOf(entry: OutboxEntry): MutationBody {
  const seq = numberOf(entry);
  switch (entry.state) {
    case 'pending': {
      const { payload, ...work } = entry;
      return { ...work, kind: 'mutation', error: null, ...payloadFields(payload) };
    }
    case 'forwarded': {
      const { payload, turn, ...work } = entry;
      const place = turn === undefined ? {} : { place: turn };
      return { ...work, kind: 'mutation', state: 'carried', error: null, ...payloadFields(payload), ...place };
    }
    case 'receipt': {
      const { number: _number, ...work } = entry;
      return { ...work, kind: 'mutation', seq, error: null };
    }
    default: {
      const { number: _number, ...work } = entry;
      return { ...work, kind: 'mutation', seq };
    }
  }
}

function payloadFields(payload: Payload): Pick<MutationBody, 'is_void' | 'withdrawn'> {
  if (payload.kind === 'mutation') return {};
  return payload.because === 'replaced' ? { is_void: true } : { withdrawn: payload.reason };
}
