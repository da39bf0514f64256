/** Defines the result and the progress of a meeting, and how a device sends live requests in it. */
import type { ByeCode } from '../../shared/relay/frames.ts';
import { numberOf, type OutboxEntry } from '../outbox/model/entry.ts';
import { entryOrigin } from '../outbox/model/sequence/numbering.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { View } from '../view/view.ts';
import type { LiveFetch, LiveFetchOptions } from './live/live-fetch.ts';
import type { SealedMessage } from './sealed-messages.ts';

/** The outcome of one meeting with a carrier. */
export interface HandOverResult {
  /** How many messages the carrier has completely, including messages of earlier meetings. */
  given: number;
  /** How many answers of the server the carrier brought. */
  answered: number;
  /** Why the channel ended: `lost` if it broke, or if the carrier was silent or made no progress for too long. */
  ended: ByeCode | 'lost';
}

/**
 * Counts the work that a device hands over in a meeting, and how much of this work the carrier and the server already
 * have.
 */
export interface HandOverProgress {
  recordings: number;
  /** The changes other than recordings, such as a renamed map. */
  changes: number;
  /** The size of all sealed messages. */
  bytes: number;
  /** The recordings in messages that the carrier has completely on its disk. */
  givenRecordings: number;
  /** The bytes that the carrier has on its disk. */
  givenBytes: number;
  /** The recordings that the server has, as a pull has proven. */
  safeRecordings: number;
  /** How many of the recordings and changes the server refused. They are in `attention$`. */
  refused: number;
  /**
   * True once a pull has shown the outcome of all work of the meeting. If the meeting has no work, true if no work of
   * the device is unsettled.
   */
  isSettled: boolean;
}

export interface LiveMode {
  /** Makes the engine send its requests over the channel. */
  open(options: Pick<LiveFetchOptions, 'send' | 'failures' | 'onClosed'>): LiveFetch;
  /** False if another tab leads the sync, since that tab cannot send over this channel. */
  isLeading(): boolean;
}

interface MeetingCountOptions {
  view: Pick<View, 'unsettled' | 'refused'>;
  onProgress?: ((progress: HandOverProgress) => void) | undefined;
}

interface CountedMessage {
  message: SealedMessage;
  givenBytes: number;
}

/**
 * Counts the work of a meeting. Work counts once, even if a later round seals it again, or it gets a new sequence
 * number.
 */
export class MeetingCount {
  readonly #options: MeetingCountOptions;
  readonly #counted = new Map<string, CountedMessage>();
  /** Maps a mutation's client id and sequence number, which a pull may change, to its identity, which stays. */
  readonly #identities = new Map<string, string>();
  readonly #unopened = new Set<string>();

  constructor(options: MeetingCountOptions) {
    this.#options = options;
  }

  plan(messages: readonly [id: string, message: SealedMessage][]): void {
    const { refused, unsettled } = this.#options.view;
    // A copy of the device may have used the number of a refused mutation for unsettled work, which comes last.
    for (const entry of [...refused, ...unsettled]) this.#identities.set(mutationKeyOf(entry), identityOf(entry));
    for (const [id, message] of messages) {
      if (!this.#counted.has(id)) this.#counted.set(id, { message, givenBytes: 0 });
    }
    this.tell();
  }

  /** Must be called when the carrier has stored the first `bytes` bytes of the message. */
  onStored(id: string, bytes: number): void {
    const counted = this.#counted.get(id);
    if (counted) counted.givenBytes = this.isUnopened(id) ? 0 : Math.max(counted.givenBytes, bytes);
    this.tell();
  }

  /** Must be called when the server will never open the message, which then does not count as handed over. */
  onUnopened(id: string): void {
    this.#unopened.add(id);
    this.onStored(id, 0);
  }

  isUnopened(id: string): boolean {
    return this.#unopened.has(id);
  }

  tell(): void {
    this.#options.onProgress?.(this.progress);
  }

  get progress(): HandOverProgress {
    const all = [...this.#counted.values()];
    const { refused, unsettled } = this.#options.view;
    const sessions = sessionsIn(all);
    const mutations = new Set(mutationKeysIn(all).map((key) => this.#identities.get(key) ?? key));
    const lacking = new Set([...unsettled, ...refused].filter(isRecordingUpload).map(sessionOf));
    const open = new Set(unsettled.map(identityOf));
    const total = (sizeOf: (counted: CountedMessage) => number) =>
      all.reduce((sum, counted) => sum + sizeOf(counted), 0);
    return {
      recordings: sessions.size,
      changes: mutations.size - sessions.size,
      bytes: total(({ message }) => message.total),
      givenRecordings: sessionsIn(all.filter(({ message, givenBytes }) => givenBytes >= message.total)).size,
      givenBytes: total(({ givenBytes }) => givenBytes),
      safeRecordings: [...sessions].filter((session) => !lacking.has(session)).length,
      refused: refused.filter((entry) => mutations.has(identityOf(entry))).length,
      isSettled: mutations.size > 0 ? ![...mutations].some((identity) => open.has(identity)) : unsettled.length === 0,
    };
  }
}

const sessionsIn = (counted: readonly CountedMessage[]): Set<string> =>
  new Set(counted.flatMap(({ message: { request } }) => (request.kind === 'push' ? request.sessions : [])));

/** Returns a key for each mutation in the messages: the client id and the sequence number of the mutation. */
const mutationKeysIn = (counted: readonly CountedMessage[]): string[] =>
  counted.flatMap(({ message: { request } }) =>
    request.kind === 'push' ? request.seqs.map((seq) => `${request.client_id}|${seq}`) : [],
  );

const mutationKeyOf = (entry: OutboxEntry): string => `${entry.client_id}|${numberOf(entry)}`;

/** Copies of a device may make two mutations of one origin, but hardly at the same time. */
const identityOf = (entry: OutboxEntry): string => `${entryOrigin(entry)} ${entry.recorded_at}`;

const sessionOf = ({ args }: OutboxEntry): string => String(args['recording_session_id']);
