/**
 * Decides which requests one hand-over contains: at most 32 pushes of the outbox work that the server may lack, and one
 * pull at the end.
 */
import type { PushRequest } from '../../shared/protocol/push.ts';
import { protocolHeader, protocolVersion } from '../../shared/protocol/version.ts';
import { encodeRequest } from '../../shared/relay/binary-http.ts';
import { utf8, type Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf } from '../../shared/relay/frames.ts';
import type { PublicKey } from '../../shared/relay/key-list.ts';
import { sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import type { SendableEntry } from '../outbox/model/entry.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { batchBytesMax, entriesToPush, nextBatch, toPushedMutation } from '../sync/cycle/batch.ts';
import { compressText } from '../sync/net/compress-body.ts';
import type { View } from '../view/view.ts';
import { sealToAny } from './sealed-exchange.ts';
import type { NewMessage, SealedMessage } from './sealed-messages.ts';

export interface PlannedRequest {
  method: 'POST' | 'GET';
  path: string;
  /** The body as JSON. */
  body?: string;
  request: SealedMessage['request'];
}

/** Limits the pushes of one hand-over. The next hand-over pushes the rest of the work. */
const pushesMax = 32;

/** Resolves to the pushes, and to the device's highest sequence number in these pushes and in all earlier ones. */
export async function plannedPushes({
  outbox,
  view,
}: {
  outbox: Outbox;
  view: View;
}): Promise<{ pushes: PlannedRequest[]; offeredSeq: number }> {
  await outbox.readMissingMutations(() => view.settledSeq);
  const { client_id, account_id, offered_seq = 0 } = outbox.device;
  const account = account_id === undefined ? {} : { account_id };
  let left = entriesToPush(view.unsettled, { clientId: client_id, serverSeq: undefined });
  const batches: (readonly SendableEntry[])[] = [];
  while (left.length > 0 && batches.length < pushesMax) {
    const { entries } = nextBatch(left, batchBytesMax);
    if (entries.length === 0) break;
    left = left.slice(entries.length);
    batches.push(entries);
  }
  // Every push of own work names the highest sequence number of all these pushes. Otherwise, a push that arrives after
  // a later push would look like a fork.
  const ownSeqs = batches.flat().flatMap(({ state, seq }) => (state === 'forwarded' ? [] : [seq]));
  const offeredSeq = Math.max(offered_seq, ownSeqs.at(-1) ?? 0);
  let hasOwn = false;
  const pushes: PlannedRequest[] = [];
  for (const entries of batches) {
    const [first] = entries;
    if (!first) break;
    const mutations = await Promise.all(entries.map(toPushedMutation));
    const forwarded = first.state === 'forwarded';
    // Leave out `sent_at`. The request may arrive days later, and the server would take the delay for an error of the
    // device's clock and shift the times of the recordings.
    const body: PushRequest = forwarded
      ? { client_id: first.client_id, ...account, carried: true, acked_seq: 0, mutations }
      : { client_id, ...account, ...(await ownPushFields({ outbox, view, first, offeredSeq })), mutations };
    pushes.push({
      method: 'POST',
      path: '/api/v1/sync/push',
      body: JSON.stringify(body),
      request: {
        kind: 'push',
        client_id: first.client_id,
        seqs: entries.map(({ seq }) => seq),
        forwarded,
        first: !forwarded && !hasOwn,
        sessions: entries.filter(isRecordingUpload).map(({ args }) => String(args['recording_session_id'])),
      },
    });
    hasOwn ||= !forwarded;
  }
  return { pushes, offeredSeq };
}

interface OwnPushOptions {
  outbox: Outbox;
  view: View;
  first: SendableEntry;
  /** The highest own sequence number in this hand-over and in all earlier ones. */
  offeredSeq: number;
}

async function ownPushFields({ outbox, view, first, offeredSeq }: OwnPushOptions) {
  const chain = await outbox.sequence.chainUpTo(first.seq - 1);
  return { acked_seq: view.settledSeq, offered_seq: offeredSeq, ...(chain === undefined ? {} : { chain }) };
}

export const plannedPull = (path: string): PlannedRequest => ({ method: 'GET', path, request: { kind: 'pull', path } });

/** Compressing a smaller body saves nothing. */
const compressibleCharsMin = 512;

/** Encodes the request as Binary HTTP, with the device's token, like a request over a network. */
async function encodePlanned({ method, path, body }: PlannedRequest, token: string): Promise<Bytes> {
  const isCompressed =
    body !== undefined && body.length >= compressibleCharsMin && typeof CompressionStream === 'function';
  const content = isCompressed ? new Uint8Array(await compressText(body, 'gzip')) : utf8(body ?? '');
  const fields = {
    [protocolHeader.toLowerCase()]: String(protocolVersion),
    authorization: `Bearer ${token}`,
    ...(typeof DecompressionStream === 'function' ? { 'accept-encoding': 'gzip' } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };
  return encodeRequest({ method, scheme: 'https', authority: '', path, fields: Object.entries(fields), content });
}

/**
 * Seals the planned requests. A push that is too large for a carrier waits for a network, and so do all later pushes.
 */
export async function sealAll(
  planned: readonly PlannedRequest[],
  { token, keys }: { token: string; keys: readonly PublicKey[] },
): Promise<NewMessage[]> {
  const messages: NewMessage[] = [];
  let isTooLarge = false;
  for (const one of planned) {
    if (isTooLarge && one.request.kind === 'push') continue;
    const { sealed, ...secrets } = await sealToAny(keys, await encodePlanned(one, token));
    isTooLarge = sealed.length > sealedRequestBytesMax;
    if (!isTooLarge) messages.push({ id: await messageIdOf(sealed), sealed, ...secrets, request: one.request });
  }
  return messages;
}
