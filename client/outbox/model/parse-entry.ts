/** Converts stored rows into entries and back, so that entries can change while the format of the rows stays. Pure. */
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import { currentVersion, upcast } from '../../../shared/schema/mutation-versions.ts';
import { mutationRowId, type MutationBody, type OutboxBody, type Row } from '../../storage/rows.ts';
import { asMutation, madeAgain, positionOf, type OutboxEntry, type Payload, type Place } from './entry.ts';

export function parseEntry(row: MutationBody): OutboxEntry {
  const { kind: _kind, seq, state, error, acknowledged_at, ...rest } = upToDate(row);
  // `work` also keeps fields that only a newer version of the app knows.
  const { discarded_at, is_void = false, withdrawn, answer, place: position, ...work } = rest;
  const payload = payloadOf({ is_void, withdrawn });
  const place = placeOf(seq);
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
        ...(position === undefined ? {} : { position }),
        ...(answer === undefined ? {} : { answer }),
      };
    case 'refused':
      return { ...work, state, place, error: error ?? outcomeUnknown, acknowledged_at };
    case 'discarded': {
      const at = discarded_at === undefined ? {} : { discarded_at };
      return { ...work, state, place, error: error ?? outcomeUnknown, acknowledged_at, ...at };
    }
    case 'receipt':
      return { ...work, state, place, acknowledged_at };
  }
}

/** A row whose `seq` is below 1 has no number: that `seq` only orders it among the waiting rows. */
const placeOf = (seq: number): Place => (seq < 1 ? { kind: 'waiting', order: seq } : { kind: 'numbered', seq });

function payloadOf({ is_void, withdrawn }: { is_void: boolean; withdrawn: Problem | undefined }): Payload {
  if (is_void) return madeAgain;
  return withdrawn === undefined ? asMutation : { kind: 'noop', because: 'unsendable', reason: withdrawn };
}

/** Converts the args of a row that an earlier version of the app wrote to the current version. */
function upToDate(row: MutationBody): MutationBody {
  const version = currentVersion(row.name);
  if (row.is_void || (row.version ?? 1) >= version) return row;
  const args = upcast(row);
  if (!args) return row;
  return { ...row, args, version, made_as: row.made_as ?? { version: row.version ?? 1, args: row.args } };
}

/** The reason of a refused entry whose own reason is unknown, since the server forgot the answer. */
export const outcomeUnknown: Problem = {
  ...problemOf({
    code: 'internal_error',
    detail: 'The server had it once, and no longer knows how that ended: send it again if it is missing.',
  }),
  title: 'The outcome is not known',
};

export const rowIdOf = (entry: OutboxEntry): string => mutationRowId(entry.client_id, positionOf(entry));

export const rowOf = (entry: OutboxEntry): Row<OutboxBody> => ({ id: rowIdOf(entry), body: bodyOf(entry) });

export function bodyOf(entry: OutboxEntry): MutationBody {
  const seq = positionOf(entry);
  switch (entry.state) {
    case 'pending': {
      const { payload, ...work } = entry;
      return { ...work, kind: 'mutation', error: null, ...payloadFields(payload) };
    }
    case 'forwarded': {
      const { payload, position, ...work } = entry;
      const place = position === undefined ? {} : { place: position };
      return { ...work, kind: 'mutation', state: 'carried', error: null, ...payloadFields(payload), ...place };
    }
    case 'receipt': {
      const { place: _place, ...work } = entry;
      return { ...work, kind: 'mutation', seq, error: null };
    }
    default: {
      const { place: _place, ...work } = entry;
      return { ...work, kind: 'mutation', seq };
    }
  }
}

function payloadFields(payload: Payload): Pick<MutationBody, 'is_void' | 'withdrawn'> {
  if (payload.kind === 'mutation') return {};
  return payload.because === 'made_again' ? { is_void: true } : { withdrawn: payload.reason };
}
