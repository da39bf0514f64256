/**
 * Seals what the server may lack, and takes the answers to it.
 *
 *   outbox ─► planned ─► sealed, on the disk ─► carrier ─► server
 *                                                            │ sealed answer
 *   outbox settled ◄─ applied ◄─ stored ◄─ opened ◄─ carrier ◄┘
 *
 * A hand-over of the content that was sealed last is the same bytes again, so any number of carriers have one message.
 */
import { decodeResponse } from '../../shared/relay/binary-http.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { messageIdOf } from '../../shared/relay/frames.ts';
import type { PublicKey } from '../../shared/relay/key-list.ts';
import { relayKeysHeader, sealedRequestBytesMax } from '../../shared/relay/media-types.ts';
import { openAnswer, sealRequest } from '../../shared/relay/sealing.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import { GembaError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { mutex } from '../core/mutex.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { SyncFailure } from '../sync/cycle/failure/sync-failure.ts';
import type { RequestFailure } from '../sync/net/failure.ts';
import type { View } from '../view/view.ts';
import { encodePlanned, plannedPull, plannedPushes, type PlannedRequest } from './planned-requests.ts';
import { onPulled, onPushAnswer } from './push-answers.ts';
import type { RelayKeys } from './relay-keys.ts';
import { answerSecretOf, type NewMessage, type SealedMessage, type SealedMessages } from './sealed-messages.ts';
import { StoredPull } from './stored-pull.ts';

interface HandOversOptions {
  table: Table<HandOverBody>;
  messages: SealedMessages;
  keys: RelayKeys;
  pull: StoredPull;
  outbox: Outbox;
  view: View;
  token: () => string | null;
}

export class HandOvers {
  readonly #options: HandOversOptions;
  readonly #inTurn = mutex();
  #isPulled = false;

  constructor(options: HandOversOptions) {
    this.#options = options;
  }

  /** Why the server refused what was handed over; null if nothing stands in the way. */
  get problem(): Problem | null {
    const body = this.#options.table.get(refusalRowId);
    return body?.kind === 'refusal' ? body.problem : null;
  }

  /** True once a pull has proven all work since the last messages were sealed. */
  get isUpToDate(): boolean {
    return this.#isPulled && this.#options.view.unsettled.length === 0;
  }

  /** Resolves to the messages to give to a carrier, in their order. Seals anew only what was not sealed last. */
  prepare(): Promise<[id: string, message: SealedMessage][]> {
    return this.#inTurn(async () => {
      const { messages, keys, outbox, token } = this.#options;
      const bearer = token();
      if (bearer === null) throw new GembaError({ code: 'unauthorized', detail: 'This device is not paired.' });
      if (keys.known.length === 0) {
        throw new GembaError({ code: 'unreachable', detail: 'This device needs the keys of its server once.' });
      }
      const { path } = await this.#advance();
      const { pushes, offeredSeq } = await plannedPushes(this.#options);
      const planned = path === undefined ? pushes : [...pushes, plannedPull(path)];
      const content = planned.map((one) => [one.path, one.request, mutationsIn(one)]);
      const fingerprint = await sha256(JSON.stringify([bearer, keys.known.map(({ id }) => id), content]));
      const newest = messages.newest();
      const asks = ({ request }: SealedMessage) => request.kind === 'pull' && request.path === path;
      const hasPull = path === undefined || newest.some(([, message]) => asks(message));
      if (hasPull && newest[0]?.[1].fingerprint === fingerprint) return newest;
      const { client_id } = outbox.device;
      // The numbers count as offered before the first byte leaves.
      await outbox.identity.rememberSentNumber(client_id, offeredSeq);
      const sealed = await sealAll(planned, { token: bearer, keys: keys.known });
      await messages.add({ fingerprint, client_id, offered_seq: offeredSeq, messages: sealed });
      return messages.newest();
    });
  }

  /** Resolves to true if the answer opened, and what it says is on the disk: the carrier may forget both. */
  take(id: string, sealedAnswer: Bytes): Promise<boolean> {
    return this.#inTurn(async () => {
      const { messages, keys } = this.#options;
      const message = messages.get(id);
      // Another carrier brought an answer before.
      if (!message) return true;
      const opened = await openAnswer(answerSecretOf(message), sealedAnswer);
      const decoded = opened && decodeResponse(opened);
      if (!decoded) {
        await messages.forgetAnswer(id);
        return false;
      }
      const fields = new Headers(decoded.fields.map(([name, value]) => [name, value]));
      const newKeys = fields.get(relayKeysHeader);
      if (newKeys) await keys.remember(newKeys);
      const text = await textOf(decoded.content, fields);
      const { status } = decoded;
      const content_type = fields.get('content-type') ?? '';
      if (message.request.kind === 'push') {
        const response = new Response(text, { status, headers: { 'Content-Type': content_type } });
        const push = { ...message, request: message.request };
        const isNewest = (one: SealedMessage) => messages.isNewest(one);
        await this.#onFailure(await onPushAnswer({ ...this.#options, isNewest }, push, response));
        await messages.settle(id);
      } else {
        const page = { path: message.request.path, status, content_type, date: fields.get('date') ?? '', text };
        await messages.settle(id, [StoredPull.rowOf(id, page)]);
      }
      if (status !== 200) await messages.discardNewest();
      await this.#advance();
      return true;
    });
  }

  async #advance(): Promise<{ path: string | undefined }> {
    const { pull, outbox, table } = this.#options;
    const { path, applied, failure } = await pull.advance();
    this.#isPulled = applied;
    if (applied) {
      await onPulled(table);
      await this.#options.table.write([], [refusalRowId]);
    }
    if (failure?.kind === 'reused') await outbox.sequence.fork(failure.conflict);
    await this.#onFailure(failure);
    return { path };
  }

  async #onFailure(failure: RequestFailure | SyncFailure | undefined): Promise<void> {
    if (failure?.kind !== 'blocked') return;
    await this.#options.table.write([{ id: refusalRowId, body: { kind: 'refusal', problem: failure.problem } }]);
  }
}

const refusalRowId = 'refusal';

/** Returns the mutations of a push. Two pushes with equal mutations are equal work, even if their heads differ. */
function mutationsIn({ body }: PlannedRequest): unknown {
  return body === undefined ? undefined : (JSON.parse(body) as { mutations: unknown }).mutations;
}

/** A push that is too large for a carrier waits for a network, and all later ones with it. */
async function sealAll(
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

/** Not every platform has X25519, so the next key is tried. */
async function sealToAny(keys: readonly PublicKey[], request: Bytes) {
  let failure: unknown;
  for (const key of keys) {
    try {
      return await sealRequest({ key, request });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function textOf(content: Bytes, fields: Headers): Promise<string> {
  if (fields.get('content-encoding') !== 'gzip') return new TextDecoder().decode(content);
  const inflated = new Blob([content]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(inflated).text();
}
