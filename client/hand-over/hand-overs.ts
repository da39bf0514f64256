/**
 * Seals the work that the server may lack, and applies the server's answers to it.
 *
 *   outbox ─► planned ─► sealed, on the disk ─► carrier ─► server
 *                                                            │ sealed answer
 *   outbox settled ◄─ applied ◄─ stored ◄─ opened ◄─ carrier ◄┘
 *
 * While the content stays the same, each hand-over gives the same sealed bytes, so all carriers have the same message.
 */
import { decodeResponse } from '../../shared/relay/binary-http.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { openAnswer } from '../../shared/relay/sealing.ts';
import { nextCursorHeader } from '../../shared/protocol/version.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import { GembaError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { HandOverBody } from '../storage/rows.ts';
import { WriteConflict, type Table } from '../storage/table.ts';
import type { SyncFailure } from '../sync/cycle/failure/sync-failure.ts';
import type { RequestFailure } from '../sync/net/failure.ts';
import type { View } from '../view/view.ts';
import { plannedPull, plannedPushes, type PlannedRequest, sealAll } from './planned-requests.ts';
import { gapNeedsFullPull, onPulled, onPushAnswer } from './push-answers.ts';
import type { RelayKeys } from './relay-keys.ts';
import { forwardedMarkRows, isBeforeForwardedAnswer } from './forwarded-answer-mark.ts';
import { answerSecretOf, type SealedMessage, type SealedMessages } from './sealed-messages.ts';
import { textOf } from './sealed-exchange.ts';
import { StoredPull } from './stored-pull.ts';

interface HandOversOptions {
  table: Table<HandOverBody>;
  messages: SealedMessages;
  keys: RelayKeys;
  pull: StoredPull;
  outbox: Outbox;
  view: View;
  token: () => string | null;
  /** Runs a function while no other tab of the device runs a function in this way. */
  inTurn: RunInTurn;
}

type RunInTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The result of applying an answer. `refused`: the server would refuse the same request again. `unreadable`: this
 * device cannot open the answer.
 */
export type AnswerOutcome = 'taken' | 'refused' | 'unreadable';

export class HandOvers {
  readonly #options: HandOversOptions;
  #isPulled = false;

  constructor(options: HandOversOptions) {
    this.#options = options;
  }

  /** Why the server refused the last hand-over; null if it did not. */
  get problem(): Problem | null {
    const body = this.#options.table.get(refusalRowId);
    return body?.kind === 'refusal' ? body.problem : null;
  }

  /** True if the last `#advance` applied a pull, and no work is unsettled. */
  get isUpToDate(): boolean {
    return this.#isPulled && this.#options.view.unsettled.length === 0;
  }

  /** Resolves to the messages to give to a carrier, in order. Seals only if the content has changed. */
  prepare(): Promise<[id: string, message: SealedMessage][]> {
    return this.#inTurn(async () => {
      const { messages, keys, outbox, view, token } = this.#options;
      const bearer = token();
      if (bearer === null) throw new GembaError({ code: 'unauthorized', detail: 'This device is not paired.' });
      if (keys.known.length === 0) {
        throw new GembaError({ code: 'unreachable', detail: 'This device needs the keys of its server once.' });
      }
      const { path } = await this.#advance();
      const { pushes, offeredSeq } = await plannedPushes(this.#options);
      const planned = path === undefined ? pushes : [...pushes, plannedPull(path)];
      const content = planned.map((one) => [one.path, one.request, mutationsIn(one)]);
      const sealed_for = await tokenHash(bearer);
      // The epoch makes the device seal again after a restore of the server: a receipt from before the restore does
      // not prove that the restored server has the work.
      const epoch = view.base.cursor?.epoch;
      const fingerprint = await sha256(JSON.stringify([bearer, epoch, keys.known.map(({ id }) => id), content]));
      const newest = messages.newest();
      const asks = ({ request }: SealedMessage) => request.kind === 'pull' && request.path === path;
      const hasPull = path === undefined || newest.some(([, message]) => asks(message));
      if (hasPull && newest[0]?.[1].fingerprint === fingerprint) return newest;
      const { client_id } = outbox.device;
      // Store the highest sequence number that the messages contain, before the first byte leaves the device.
      await outbox.identity.rememberSentNumber(client_id, offeredSeq);
      const sealed = await sealAll(planned, { token: bearer, keys: keys.known });
      const ofEpoch = epoch === undefined ? {} : { epoch };
      await messages.add({
        fingerprint,
        sealed_for,
        ...ofEpoch,
        client_id,
        offered_seq: offeredSeq,
        messages: sealed,
      });
      return messages.newest();
    });
  }

  /**
   * Applies the answer to a message. When the promise resolves, the result is on the disk, and the carrier may drop the
   * message and the answer, unless the answer was unreadable.
   */
  take(id: string, sealedAnswer: Bytes, carrier: string): Promise<AnswerOutcome> {
    return this.#inTurn(async () => {
      const { messages, keys } = this.#options;
      const message = messages.get(id);
      // Another carrier brought an answer earlier.
      if (!message) return 'taken';
      const opened = await openAnswer(answerSecretOf(message), sealedAnswer);
      const decoded = opened && decodeResponse(opened);
      if (!decoded) {
        await messages.forgetAnswer(id, carrier);
        return 'unreadable';
      }
      const fields = new Headers(decoded.fields.map(([name, value]) => [name, value]));
      await keys.rememberAnswered(fields);
      const text = await textOf(decoded.content, fields);
      const { status } = decoded;
      const content_type = fields.get('content-type') ?? '';
      const date = fields.get('date') ?? '';
      const isStale = !(await this.#isCurrent(message));
      let failure: RequestFailure | SyncFailure | undefined;
      if (message.request.kind === 'push') {
        const response = new Response(text, { status, headers: { 'Content-Type': content_type } });
        const push = { ...message, request: message.request };
        const counts = isStale ? status === 200 && (await this.#isCurrentForwardedPush(message)) : true;
        if (counts && message.request.forwarded) await this.#markForwardedAnswer(message, date);
        failure = counts ? await onPushAnswer(this.#options, push, response) : undefined;
        await this.#onFailure(failure);
        await messages.settle(id);
      } else {
        const next = fields.get(nextCursorHeader);
        const ofNext = next === null ? {} : { next };
        const page = { path: message.request.path, status, content_type, date, text, ...ofNext };
        // Ignore a refusal that answers an earlier token or hand-over: the server may accept the current one.
        const isIgnored = (isStale && status !== 200) || isBeforeForwardedAnswer(this.#options, message, date);
        await messages.settle(id, isIgnored ? [] : [StoredPull.rowOf(id, page)]);
      }
      if (status !== 200 && messages.isNewest(message)) await messages.discardNewest();
      const { failure: failureOfPull } = await this.#advance();
      return [failure, failureOfPull].some(wouldFailAgain) ? 'refused' : 'taken';
    });
  }

  /** Makes the next meeting seal the work again if the newest hand-over contains one of these messages. */
  sealAnew(ids: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(async () => {
      const { messages } = this.#options;
      if (messages.newest().some(([id]) => ids.has(id))) await messages.discardNewest();
    });
  }

  /**
   * Tells whether a message is of the newest hand-over, and the device still has the client id, the highest sent
   * sequence number and the token with which it sealed the message.
   */
  async #isCurrent(message: SealedMessage): Promise<boolean> {
    const { messages, outbox, token } = this.#options;
    const { client_id, offered_seq = 0 } = outbox.device;
    const isUnchanged = client_id === message.client_id && offered_seq === message.offered_seq;
    const bearer = token();
    if (!isUnchanged || bearer === null || !messages.isNewest(message)) return false;
    return (await tokenHash(bearer)) === message.sealed_for;
  }

  /**
   * Tells whether a message pushes forwarded work with the current token, in the server's current epoch. The answer to
   * such a push counts even if the push is not the newest, since newer hand-overs do not renumber forwarded work.
   */
  async #isCurrentForwardedPush({ request, epoch, sealed_for }: SealedMessage): Promise<boolean> {
    const { token, view } = this.#options;
    const bearer = token();
    if (request.kind !== 'push' || !request.forwarded || bearer === null) return false;
    return epoch === view.base.cursor?.epoch && (await tokenHash(bearer)) === sealed_for;
  }

  /** Marks the answer, and drops the pulls that the server answered earlier. Must run before the answer is stored. */
  async #markForwardedAnswer(message: SealedMessage, date: string): Promise<void> {
    const { table, pull } = this.#options;
    await table.write(forwardedMarkRows(table, message, date), pull.rowIdsBefore(date));
  }

  /**
   * Runs `work` while no other tab runs such work. If another tab wrote the rows before, reads them again and repeats
   * `work`.
   */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const { inTurn, table } = this.#options;
    return inTurn(async () => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        await table.refreshAll();
        return work();
      }
    });
  }

  async #advance(): Promise<{ path: string | undefined; failure: SyncFailure | undefined }> {
    const { pull, outbox, table } = this.#options;
    if (gapNeedsFullPull(table)) pull.requestFullPull();
    const { path, applied, failure } = await pull.advance();
    this.#isPulled = applied;
    if (applied) {
      await onPulled(table);
      await this.#options.table.write([], [refusalRowId]);
    }
    if (failure?.kind === 'reused') await outbox.sequence.fork(failure.conflict);
    await this.#onFailure(failure);
    return { path, failure };
  }

  async #onFailure(failure: RequestFailure | SyncFailure | undefined): Promise<void> {
    if (failure?.kind !== 'blocked') return;
    await this.#options.table.write([{ id: refusalRowId, body: { kind: 'refusal', problem: failure.problem } }]);
  }
}

const refusalRowId = 'refusal';

const wouldFailAgain = (failure: RequestFailure | SyncFailure | undefined): boolean =>
  failure !== undefined && ['blocked', 'busy', 'too_large'].includes(failure.kind);

/** Returns a short hash that tells tokens apart. The hash may be on the disk, since the token is there, too. */
const tokenHash = async (token: string): Promise<string> => (await sha256(token)).slice(0, 16);

/**
 * Returns the mutations of a push. Pushes with equal mutations are the same work, even if their other fields differ.
 */
function mutationsIn({ body }: PlannedRequest): unknown {
  return body === undefined ? undefined : (JSON.parse(body) as { mutations: unknown }).mutations;
}
