/** What becomes of the outbox's mutations when the pull has told how far the server is with them. Pure. */
import type { ClientDoc } from '../../shared/protocol/pull.ts';
import type { DeviceBody, MutationBody } from '../store/rows.ts';

/** What the pull told: this device's record, if the server has one, and the epoch of the server's store. */
export interface Told {
  client: ClientDoc | undefined;
  epoch: string;
  /** The client is that of an earlier token: no more can be numbered under it. */
  carried?: boolean;
}

export interface OutboxContent {
  device: DeviceBody;
  pending: MutationBody[];
  refused: MutationBody[];
  receipts: MutationBody[];
}

/** Done mutations go, recordings stay as receipts, refused ones wait for a person. */
export function settled(content: OutboxContent, { client }: Told, acknowledged_at: string): OutboxContent {
  if (!client) return content;
  const errors = new Map(client.rejections.map(({ seq, error }) => [seq, error]));
  const pending: MutationBody[] = [];
  const refused = [...content.refused];
  let receipts = [...content.receipts];
  for (const body of content.pending) {
    const error = errors.get(body.seq);
    if (body.seq > client.last_seq) pending.push(body);
    else if (error) refused.push({ ...body, state: 'refused', error });
    else if (isRecording(body)) receipts.push({ ...body, state: 'receipt', acknowledged_at });
    // A run that was deleted here is not brought back by its receipt.
    else if (body.name === 'delete_run') {
      receipts = receipts.filter(({ args }) => args['run_id'] !== body.args['run_id']);
    }
  }
  return { device: content.device, pending, refused, receipts };
}

/**
 * Everything held, numbered anew under a new client id: receipts and pending mutations from 1 in their order, to be
 * offered to a server that lacks them; refused ones below, so that no two that need attention share a number.
 */
export function renumbered({ device, pending, refused, receipts }: OutboxContent, client_id: string): OutboxContent {
  const offered = [...receipts, ...pending].map((body, index): MutationBody => ({
    ...body,
    client_id,
    seq: index + 1,
    state: 'pending',
  }));
  return {
    device: { ...device, client_id, last_seq: offered.length },
    pending: offered,
    refused: refused.map((body, index) => ({ ...body, client_id, seq: index - refused.length + 1 })),
    receipts: [],
  };
}

/**
 * The same under the new client id of another token: the server goes on having what it had, so that only what is left is
 * pushed. Receipts keep their order before it, should they ever be offered again.
 */
export function carriedOver({ device, pending, refused, receipts }: OutboxContent, client_id: string): OutboxContent {
  const before = [...receipts, ...refused].toSorted((a, b) => a.seq - b.seq);
  const placed = before.map((body, index) => ({ ...body, client_id, seq: index - before.length + 1 }));
  return {
    device: { ...device, client_id, last_seq: pending.length },
    pending: pending.map((body, index) => ({ ...body, client_id, seq: index + 1 })),
    refused: placed.filter(({ state }) => state === 'refused'),
    receipts: placed.filter(({ state }) => state === 'receipt'),
  };
}

export const isRecording = ({ name }: Pick<MutationBody, 'name'>): boolean =>
  name === 'upload_recording' || name === 'record_new_map';
