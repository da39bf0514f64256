/** Writes to the outbox what the sync learned about its numbers: forks, gaps, withdrawals and answers to carried work. */
import type { Problem } from '../../../shared/protocol/problem.ts';
import type { Ids } from '../../core/ids.ts';
import { mutationRowId, type CarriedOutcome, type MutationBody } from '../../storage/rows.ts';
import { chainAfter } from './chain.ts';
import type { OutboxContent } from './content.ts';
import { isRecording } from './mutation.ts';
import { forked, underDerivedClients, renumbered, type SequenceConflict } from './numbering.ts';

interface SequenceOptions {
  ids: Ids;
  content: () => OutboxContent;
  /** Writes what `decide` changes, in one transaction. */
  rewrite: (decide: (content: OutboxContent) => OutboxContent) => Promise<void>;
}

export class Sequence {
  readonly #ids: Ids;
  readonly #content: SequenceOptions['content'];
  readonly #rewrite: SequenceOptions['rewrite'];

  constructor({ ids, content, rewrite }: SequenceOptions) {
    this.#ids = ids;
    this.#content = content;
    this.#rewrite = rewrite;
  }

  /** The hash chain of this device's mutations up to `seq`; undefined where some of them are gone. */
  async chainAt(seq: number): Promise<string | undefined> {
    const { device, pending } = this.#content();
    const { client_id, proven_seq, proven_chain } = device;
    if (proven_seq === undefined || proven_chain === undefined || seq < proven_seq) return undefined;
    const bodies = pending.filter((body) => body.client_id === client_id && body.seq > proven_seq && body.seq <= seq);
    return bodies.length === seq - proven_seq ? chainAfter(proven_chain, bodies) : undefined;
  }

  /** Offers everything again, since the server misses mutations of this client; unless a tab did so meanwhile. */
  resendAll(client_id: string): Promise<void> {
    return this.#rewrite((content) =>
      content.device.client_id === client_id ? renumbered(content, this.#ids.uuid()) : content,
    );
  }

  /** Moves work off numbers that stand for other work on the server, be they this client's or carried ones. */
  fork(conflict: SequenceConflict): Promise<void> {
    return this.#rewrite((content) => {
      const isMet = [content.device, ...content.carried].some(({ client_id }) => client_id === conflict.client_id);
      return isMet ? forked(content, conflict, this.#ids.uuid()) : content;
    });
  }

  /** Sends the mutation's number without its content from now on; it comes back refused for `reason`. */
  withdraw({ client_id, seq }: MutationBody, reason: Problem): Promise<void> {
    const withdrawn = (body: MutationBody) =>
      body.client_id === client_id && body.seq === seq ? { ...body, withdrawn: reason } : body;
    return this.#rewrite((content) => ({
      ...content,
      pending: content.pending.map(withdrawn),
      carried: content.carried.map(withdrawn),
    }));
  }

  /** Keeps the answers to carried mutations until a pull brings their effects; recordings that were forgotten go again. */
  rememberAnswers(answers: { body: MutationBody; outcome: CarriedOutcome }[], cursor: string): Promise<void> {
    const rowIdOf = ({ client_id, seq }: MutationBody) => mutationRowId(client_id, seq);
    const outcomes = new Map(answers.map(({ body, outcome }) => [rowIdOf(body), outcome]));
    const answered = (body: MutationBody): MutationBody => {
      const outcome = outcomes.get(rowIdOf(body));
      return outcome === undefined ? body : { ...body, answer: { cursor, outcome } };
    };
    return this.#rewrite((content) => {
      const carried = content.carried.map(answered);
      const isForgotten = (body: MutationBody) => body.answer?.outcome === 'forgotten' && isRecording(body);
      return underDerivedClients({ ...content, carried }, (body) => isForgotten(body) && !body.is_void);
    });
  }
}
