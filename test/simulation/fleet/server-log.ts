/**
 * Notes what the server did with each number of each client. The first push that brings a number decides its work.
 * Pushes run one at a time, so that the order of answers is the order of effects.
 */
import { isDeepStrictEqual } from 'node:util';
import { mutex } from '../../../client/core/mutex.ts';
import type { MutationAnswer, PushedMutation, PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import type { AppRequest } from './in-process.ts';
import { answerIn, pushIn } from '../push-forms.ts';
import { hasSameContent, recordingKey } from './works.ts';

export interface Entry {
  mutation: PushedMutation;
  status: MutationAnswer['status'];
}

/** The state that a restore rolls back. */
interface LogState {
  /** The last number that was taken, by client. */
  lastSeqs: Map<string, number>;
  byNumber: Map<string, PushedMutation>;
}

export class ServerLog {
  /** Entries in the order of their effects, including those before a restore. */
  readonly entries: Entry[] = [];
  /** Recordings that ever became a run. */
  readonly recorded = new Set<string>();
  /** Descriptions of answers that were for other work than the client sent under the number. */
  readonly foreignAnswers: string[] = [];
  #standing: LogState = { lastSeqs: new Map(), byNumber: new Map() };
  readonly #inTurn = mutex();

  /** Sends the push and notes its outcome. */
  push(request: AppRequest, ask: () => Promise<Response>): Promise<Response> {
    return this.#inTurn(async () => {
      const response = await ask();
      if (response.ok) {
        const sent = pushIn(request);
        this.#notePush(sent, answerIn(await response.clone().json(), sent));
      }
      return response;
    });
  }

  /** Saves the state and returns a function that restores it. */
  saveState(): () => void {
    const { lastSeqs, byNumber } = this.#standing;
    const kept = { lastSeqs: new Map(lastSeqs), byNumber: new Map(byNumber) };
    return () => {
      this.#standing = { lastSeqs: new Map(kept.lastSeqs), byNumber: new Map(kept.byNumber) };
    };
  }

  #notePush({ client_id, mutations }: PushRequest, { results, last_seq }: PushResponse): void {
    const { lastSeqs, byNumber } = this.#standing;
    const before = lastSeqs.get(client_id) ?? 0;
    const answers = new Map(results.map((result) => [result.seq, result]));
    for (const mutation of mutations) {
      const { seq } = mutation;
      const answer = answers.get(seq);
      const number = `${client_id}|${seq}`;
      if (seq <= before) {
        const done = byNumber.get(number);
        if (answer && done && !isWorkOf(done, mutation)) this.foreignAnswers.push(number);
      } else if (seq <= last_seq && answer) {
        byNumber.set(number, mutation);
        this.#addEntry({ mutation, status: answer.status });
      }
    }
    lastSeqs.set(client_id, Math.max(before, last_seq));
  }

  #addEntry(entry: Entry): void {
    this.entries.push(entry);
    const args = entry.mutation.args as Record<string, unknown>;
    const session = args['recording_session_id'];
    if (entry.status === 'applied' && typeof session === 'string') {
      this.recorded.add(recordingKey(session, args['steps']));
    }
  }
}

/** Returns whether both are the same work. A withdrawn mutation has no args, so only its name is compared. */
function isWorkOf(done: PushedMutation, sent: PushedMutation): boolean {
  const isVoid = ({ args }: PushedMutation) => isDeepStrictEqual(args, {});
  return hasSameContent(done, sent) || (done.name === sent.name && (isVoid(done) || isVoid(sent)));
}
