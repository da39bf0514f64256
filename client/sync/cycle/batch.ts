/** A push takes a batch of mutations and gives each its wire form. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { digestOf } from '../../outbox/model/chain.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';

const mutationsPerBatchMax = 100;

export interface Batch {
  entries: SendableEntry[];
  /** The size of their JSON. */
  bytes: number;
}

/** Takes the first waiting entries that share a client and a clock, as many as fit, at least one. */
export function batchOf(waiting: readonly SendableEntry[], bytesMax: number): Batch {
  const entries: SendableEntry[] = [];
  let bytes = 0;
  for (const entry of waiting.slice(0, mutationsPerBatchMax)) {
    const first = entries[0] ?? entry;
    if (entry.client_id !== first.client_id || entry.is_foreign !== first.is_foreign) break;
    const size = utf8.encode(JSON.stringify(fieldsOf(entry))).length;
    if (entries.length > 0 && bytes + size > bytesMax) break;
    bytes += size;
    entries.push(entry);
  }
  return { entries, bytes };
}

/** The digest goes along where the server would compute another one from the name and args. */
export async function wireOf(entry: SendableEntry): Promise<PushedMutation> {
  const isOther = entry.made_as !== undefined || entry.payload.kind === 'noop';
  return { ...fieldsOf(entry), ...(isOther ? { digest: await digestOf(entry) } : {}) };
}

function fieldsOf({ seq, name, args, version, recorded_at, payload }: SendableEntry): PushedMutation {
  if (payload.kind === 'noop') return { seq, name: noopName, args: {}, recorded_at };
  return { seq, name, args, recorded_at, ...(version === undefined ? {} : { version }) };
}

const utf8 = new TextEncoder();
