/** The progress and the outcome of a meeting, and the way in which a device takes part in it. */
import type { ByeCode } from '../../shared/relay/frames.ts';
import { numberOf, type OutboxEntry } from '../outbox/model/entry.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { View } from '../view/view.ts';
import type { LiveFetch, LiveFetchOptions } from './live/live-fetch.ts';
import type { SealedMessage } from './sealed-messages.ts';

/** The outcome of one meeting with a carrier. */
export interface HandOverResult {
  /** How many messages the carrier has whole, also from earlier meetings. */
  given: number;
  /** How many answers of the server it brought. */
  answered: number;
  /** Why the channel ended: `lost` if it broke, or if the carrier fell silent or did nothing for too long. */
  ended: ByeCode | 'lost';
}

/** Counts the work that a device has to give in a meeting, and how much of it is over. */
export interface HandOverProgress {
  recordings: number;
  /** The changes that are no recordings, such as a new name of a map. */
  changes: number;
  /** The size of all of it, sealed. */
  bytes: number;
  /** The recordings in messages that the carrier has whole on its disk. */
  givenRecordings: number;
  /** The bytes that the carrier has on its disk. */
  givenBytes: number;
  /** The recordings of which a pull has proven that the server has them. */
  safeRecordings: number;
  /** How many recordings and changes the server refused. They are in `attention$`. */
  refused: number;
  /** True once a pull has told of all of it what became of it; of a device that has nothing to give, of all its work. */
  isSettled: boolean;
}

export interface LiveMode {
  /** Makes the channel the engine's way to the server. */
  open(options: Pick<LiveFetchOptions, 'send' | 'failures' | 'onClosed'>): LiveFetch;
  /** False if the sync of another tab leads, which cannot send over this channel. */
  isLeading(): boolean;
}

interface MeetingCountOptions {
  view: Pick<View, 'unsettled' | 'refused'>;
  onProgress?: ((progress: HandOverProgress) => void) | undefined;
}

interface Counted {
  message: SealedMessage;
  givenBytes: number;
}

/** Counts what a meeting gives. A recording that is sealed anew in a later round counts once. */
export class MeetingCount {
  readonly #options: MeetingCountOptions;
  readonly #counted = new Map<string, Counted>();
  readonly #unopened = new Set<string>();

  constructor(options: MeetingCountOptions) {
    this.#options = options;
  }

  plan(messages: readonly [id: string, message: SealedMessage][]): void {
    for (const [id, message] of messages) {
      if (!this.#counted.has(id)) this.#counted.set(id, { message, givenBytes: 0 });
    }
    this.tell();
  }

  /** Must be called when the carrier has stored so many bytes of the message. */
  onStored(id: string, bytes: number): void {
    const counted = this.#counted.get(id);
    if (counted) counted.givenBytes = this.isUnopened(id) ? 0 : Math.max(counted.givenBytes, bytes);
    this.tell();
  }

  /** Must be called when the server will never open the message: it is not handed over. */
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
    const mutations = mutationsIn(all);
    const lacking = new Set([...unsettled, ...refused].filter(isRecordingUpload).map(sessionOf));
    const open = new Set(unsettled.map(nameOf));
    const total = (sizeOf: (counted: Counted) => number) => all.reduce((sum, counted) => sum + sizeOf(counted), 0);
    return {
      recordings: sessions.size,
      changes: mutations.size - sessions.size,
      bytes: total(({ message }) => message.total),
      givenRecordings: sessionsIn(all.filter(({ message, givenBytes }) => givenBytes >= message.total)).size,
      givenBytes: total(({ givenBytes }) => givenBytes),
      safeRecordings: [...sessions].filter((session) => !lacking.has(session)).length,
      refused: refused.filter((entry) => mutations.has(nameOf(entry))).length,
      isSettled: mutations.size > 0 ? ![...mutations].some((name) => open.has(name)) : unsettled.length === 0,
    };
  }
}

const sessionsIn = (counted: readonly Counted[]): Set<string> =>
  new Set(counted.flatMap(({ message: { request } }) => (request.kind === 'push' ? request.sessions : [])));

const mutationsIn = (counted: readonly Counted[]): Set<string> =>
  new Set(
    counted.flatMap(({ message: { request } }) =>
      request.kind === 'push' ? request.seqs.map((seq) => `${request.client_id} ${seq}`) : [],
    ),
  );

const nameOf = (entry: OutboxEntry): string => `${entry.client_id} ${numberOf(entry)}`;

const sessionOf = ({ args }: OutboxEntry): string => String(args['recording_session_id']);
