/** A push takes a batch of mutations and gives each its wire form. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { noopName } from '../../../shared/protocol/noop.ts';
import { digestOf, isWithdrawn } from '../../outbox/model/chain.ts';
import type { MutationBody } from '../../storage/rows.ts';

const mutationsPerBatchMax = 100;

interface Batch {
  bodies: MutationBody[];
  /** The size of their JSON. */
  bytes: number;
}

/** The first of those that wait which share a client and a clock, as many as fit, at least one. */
export function batchOf(waiting: readonly MutationBody[], bytesMax: number): Batch {
  const [first] = waiting;
  const bodies: MutationBody[] = [];
  let bytes = 0;
  for (const body of waiting.slice(0, mutationsPerBatchMax)) {
    if (body.client_id !== first!.client_id || body.is_foreign !== first!.is_foreign) break;
    const size = utf8.encode(JSON.stringify(fieldsOf(body))).length;
    if (bodies.length > 0 && bytes + size > bytesMax) break;
    bytes += size;
    bodies.push(body);
  }
  return { bodies, bytes };
}

/** The digest goes along where the server would compute another one from the name and args. */
export async function wireOf(body: MutationBody): Promise<PushedMutation> {
  const isOther = body.made_as !== undefined || isWithdrawn(body);
  return { ...fieldsOf(body), ...(isOther ? { digest: await digestOf(body) } : {}) };
}

function fieldsOf(body: MutationBody): PushedMutation {
  const { seq, name, args, version, recorded_at } = body;
  if (isWithdrawn(body)) return { seq, name: noopName, args: {}, recorded_at };
  return { seq, name, args, recorded_at, ...(version === undefined ? {} : { version }) };
}

const utf8 = new TextEncoder();
