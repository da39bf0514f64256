/**
 * Notes what the server did with each number of each client. The first push that brings a number decides its work.
 * Pushes run one at a time, so that the order of answers is the order of effects.
 */
import { createHash } from 'node:crypto';
import { mutex } from '../../../client/core/mutex.ts';
import { chainDigitCount, digestText } from '../../../shared/protocol/chain.ts';
import { isNoop } from '../../../shared/protocol/noop.ts';
import type { MutationAnswer, PushedMutation, PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import type { Store } from '../../../server/store/store.ts';
import { answerIn, pushIn } from '../push-forms.ts';
import { isSuccess, type AppAnswer, type AppRequest } from './in-process.ts';
import { AccountHistory } from '../checks/account-history.ts';
import { hasSameContent, recordingKey } from '../fleet/works.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Entry {
  clientId: string;
  mutation: PushedMutation;
  status: MutationAnswer['status'];
  /** Whether the account had been restored before. */
  wasRestored: boolean;
  /** Whether the server answered with what an equal mutation of another client did. */
  isRepeated: boolean;
  /** When the server answered, on the clock of the simulation. */
  atMs: number;
}

/** The state that a restore rolls back. */
interface LogState {
  /** The last number that was taken, by client. */
  lastSeqs: Map<string, number>;
  byNumber: Map<string, PushedMutation>;
  /** The entries that no restore has taken back. */
  entries: Entry[];
  wasRestored: boolean;
}

export class ServerLog {
  /** Entries in the order of their effects, including those before a restore. */
  readonly entries: Entry[] = [];
  /** Recordings that ever became a run. */
  readonly recorded = new Set<string>();
  /** The sessions of `recorded`. */
  readonly recordedSessions = new Set<string>();
  /** The sessions of recordings that a restore took away from the server, even if they came again. */
  readonly lostSessions = new Set<string>();
  readonly history = new AccountHistory();
  /** Descriptions of answers that were for other work than the client sent under the number. */
  readonly foreignAnswers: string[] = [];
  #standing: LogState = { lastSeqs: new Map(), byNumber: new Map(), entries: [], wasRestored: false };
  /** Pushes during which the server died, so that nobody knows what became of them yet. */
  readonly #unanswered: PushRequest[] = [];
  readonly #inTurn = mutex();
  readonly #time: Pick<VirtualTime, 'elapsedMs'>;

  constructor(time: Pick<VirtualTime, 'elapsedMs'>) {
    this.#time = time;
  }

  /** The entries that stand, in the order of their effects. */
  get standing(): readonly Entry[] {
    return this.#standing.entries;
  }

  /** The mutations that made the account what it is, in order. */
  get effective(): PushedMutation[] {
    return this.standing.filter(hasEffect).map(({ mutation }) => mutation);
  }

  get clientCount(): number {
    return this.#standing.lastSeqs.size;
  }

  /** Whether the server may have taken something that is not noted. */
  get isBehind(): boolean {
    return this.#unanswered.length > 0;
  }

  /** Sends the push and notes its outcome. */
  push(request: AppRequest, ask: () => Promise<AppAnswer>): Promise<AppAnswer> {
    return this.#inTurn(async () => {
      const pushed = pushIn(request);
      const answer = await ask().catch((error: unknown) => {
        this.#unanswered.push(pushed);
        throw error;
      });
      if (isSuccess(answer)) this.#notePush(pushed, answerIn(JSON.parse(answer.body.toString()), pushed));
      return answer;
    });
  }

  /** Reads what became of the pushes during which the server died. */
  async readUnanswered(store: Pick<Store, 'clientOwner' | 'pushAnswers'>): Promise<void> {
    for (const pushed of this.#unanswered.splice(0)) {
      const { client_id: clientId, mutations } = pushed;
      const owner = await store.clientOwner(clientId);
      const [first, last] = [mutations[0], mutations.at(-1)];
      if (!owner || !first || !last) continue;
      const stored = await store.pushAnswers(owner.accountId, { clientId, from: first.seq, to: last.seq });
      // Numbers that were taken before may stand for the work of another copy.
      const before = this.#standing.lastSeqs.get(clientId) ?? 0;
      const results = stored.filter(({ seq }) => seq > before);
      this.#notePush(pushed, { results, last_seq: results.at(-1)?.seq ?? 0 });
    }
  }

  /** Saves the state and returns a function that restores it. */
  saveState(): () => void {
    const kept = copyOf(this.#standing);
    return () => {
      const keptEntries = new Set(kept.entries);
      for (const entry of this.standing) if (!keptEntries.has(entry)) addSession(this.lostSessions, entry);
      this.#standing = { ...copyOf(kept), wasRestored: true };
      this.history.restore(this.effective);
    };
  }

  #notePush(
    { client_id, chain, mutations }: PushRequest,
    { results, last_seq }: Pick<PushResponse, 'results' | 'last_seq'>,
  ): void {
    const { lastSeqs, byNumber } = this.#standing;
    const before = lastSeqs.get(client_id) ?? 0;
    const answers = new Map(results.map((result) => [result.seq, result]));
    for (const mutation of mutations) {
      const { seq } = mutation;
      const answer = answers.get(seq);
      const number = `${client_id}|${seq}`;
      if (seq <= before) {
        const done = byNumber.get(number);
        // PUSH-40: the answer to a noop without a chain is that of its number, and the device keeps the work refused.
        const isOfNumber = chain === undefined && isNoop(mutation);
        if (answer && done && !isOfNumber && !isWorkOf(done, mutation)) {
          this.foreignAnswers.push(`${number}: ${shortOf(done)}, sent ${shortOf(mutation)}`);
        }
      } else if (seq <= last_seq && answer) {
        byNumber.set(number, mutation);
        this.#addEntry({ clientId: client_id, mutation, status: answer.status, atMs: this.#time.elapsedMs });
      }
    }
    lastSeqs.set(client_id, Math.max(before, last_seq));
  }

  #addEntry(answered: Omit<Entry, 'wasRestored' | 'isRepeated'>): void {
    const { entries, wasRestored } = this.#standing;
    const entry = {
      ...answered,
      wasRestored,
      isRepeated: wasRestored && entries.some((one) => repeats(answered, one)),
    };
    this.entries.push(entry);
    entries.push(entry);
    if (hasEffect(entry)) this.history.take(entry.mutation);
    const args = entry.mutation.args as Record<string, unknown>;
    const session = args['recording_session_id'];
    if (entry.status === 'applied' && typeof session === 'string') {
      this.recordedSessions.add(session);
      this.recorded.add(recordingKey(session, args['steps']));
    }
  }
}

function addSession(sessions: Set<string>, { mutation }: Entry): void {
  const session = (mutation.args as Record<string, unknown>)['recording_session_id'];
  if (typeof session === 'string') sessions.add(session);
}

const hasEffect = ({ status, isRepeated }: Entry): boolean => status === 'applied' && !isRepeated;

/** Returns whether a restored account answers the mutation with what this entry did, by decision 0096. */
const repeats = (
  { clientId, mutation, status }: Pick<Entry, 'clientId' | 'mutation' | 'status'>,
  entry: Entry,
): boolean =>
  status === 'applied' &&
  hasEffect(entry) &&
  entry.wasRestored &&
  entry.clientId !== clientId &&
  entry.mutation.recorded_at === mutation.recorded_at &&
  hasSameContent(entry.mutation, mutation);

const shortOf = ({ name, args }: PushedMutation): string => `${name} ${JSON.stringify(args)}`;

const copyOf = ({ lastSeqs, byNumber, entries, wasRestored }: LogState): LogState => ({
  wasRestored,
  lastSeqs: new Map(lastSeqs),
  byNumber: new Map(byNumber),
  entries: [...entries],
});

/**
 * Returns whether both are the same work. A mutation that is withdrawn after its answer was lost comes as a noop, whose
 * digest says what its name was.
 */
function isWorkOf(done: PushedMutation, sent: PushedMutation): boolean {
  return hasSameContent(done, sent) || (isNoop(sent) && sent.digest === emptiedDigestOf(done));
}

const emptiedDigestOf = ({ name, version }: PushedMutation): string =>
  createHash('sha256')
    .update(digestText({ name, version, args: {} }))
    .digest('hex')
    .slice(0, chainDigitCount);
