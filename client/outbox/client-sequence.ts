/** Changes the outbox's numbers and forwarded work: forks, gaps, withdrawals, new client ids, imports. */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { ForwardedOutcome, MutationBody, OutboxBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { chainAfter } from './model/chain.ts';
import type { OutboxContent } from './model/content.ts';
import { isReplaced, type ForwardedEntry, type SendableEntry } from './model/entry.ts';
import { isRecordingUpload } from './model/mutation.ts';
import { parseEntry, rowIdOf } from './model/parse-entry.ts';
import { moveToDerivedClients } from './model/sequence/derived-clients.ts';
import { importWork } from './model/sequence/importing.ts';
import { forkSequence, resendAll, startNewClient, type SequenceConflict } from './model/sequence/numbering.ts';
import { requireAccount } from './model/sequence/require-account.ts';
import type { OutboxReader } from './outbox-reader.ts';
import type { OutboxWriter } from './outbox-writer.ts';

interface SequenceOptions {
  table: Table<OutboxBody>;
  reader: OutboxReader;
  writer: OutboxWriter;
  ids: IdGenerator;
}

/** The answer to the push of a forwarded entry. */
export interface ForwardedAnswer {
  entry: SendableEntry;
  outcome: ForwardedOutcome;
}

/** Another device's work, read from an exported file. */
interface ImportedWork {
  /** The account that owns the work; undefined if the other device did not know its account. */
  account_id: string | undefined;
  works: {
    /** Identifies the work on every device and under every number. */
    mark: string;
    body: MutationBody;
  }[];
}

export class ClientSequence {
  readonly #table: Table<OutboxBody>;
  readonly #reader: OutboxReader;
  readonly #writer: OutboxWriter;
  readonly #ids: IdGenerator;

  constructor({ table, reader, writer, ids }: SequenceOptions) {
    this.#table = table;
    this.#reader = reader;
    this.#writer = writer;
    this.#ids = ids;
  }

  /** The hash chain of this device's mutations up to `seq`; undefined if the outbox no longer has all those mutations. */
  async chainAt(seq: number): Promise<string | undefined> {
    const { device, pending } = this.#reader.content;
    const { client_id, proven_seq, proven_chain } = device;
    if (proven_seq === undefined || proven_chain === undefined || seq < proven_seq) return undefined;
    const links = pending.filter(
      (entry) => entry.client_id === client_id && entry.seq > proven_seq && entry.seq <= seq,
    );
    return links.length === seq - proven_seq ? chainAfter(proven_chain, links) : undefined;
  }

  /**
   * Sends everything again, because the server misses mutations of `client_id`. Does nothing if the device has another
   * client id by now, since another tab has then handled it.
   */
  resendAll(client_id: string): Promise<void> {
    return this.#renumber((content) =>
      content.device.client_id === client_id ? resendAll(content, this.#ids.uuid()) : content,
    );
  }

  /** Renumbers work, own or forwarded, whose numbers the server has used for other work. */
  fork(conflict: SequenceConflict): Promise<void> {
    return this.#renumber((content) => {
      const isMet = [content.device, ...content.forwarded].some(({ client_id }) => client_id === conflict.client_id);
      return isMet ? forkSequence(content, conflict, this.#ids.uuid()) : content;
    });
  }

  /**
   * Makes pending work forwarded, so that another device may push it, too. Nobody acknowledges answers to forwarded work,
   * so the server keeps them for both devices.
   */
  forwardPending(): Promise<void> {
    return this.#renumber((content) =>
      content.pending.length > 0 ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Starts a new client id if the journal restored the present one; only the first tab that runs this finds it restored. */
  leaveRestoredClient(): Promise<void> {
    return this.#renumber((content) =>
      content.device.is_put_back ? startNewClient(content, this.#ids.uuid()) : content,
    );
  }

  /** Imports another device's work, all of it or nothing, and returns how many mutations were not imported before. */
  import({ account_id, works }: ImportedWork): Promise<number> {
    return this.#writer.rewrite({
      read: () => this.#table.refreshAll(),
      decide: (content) => {
        requireAccount(content.device, account_id);
        const fresh = works.filter(({ mark }) => !this.#reader.wasTransferred(mark));
        const entries = fresh.map(({ body }) => parseEntry(body));
        const imported = {
          account_id,
          forwarded: entries.filter((entry) => entry.state === 'forwarded'),
          refused: entries.filter((entry) => entry.state === 'refused'),
        };
        return {
          content: importWork(content, imported, this.#ids.uuid()),
          rows: this.#writer.transferRows(fresh.map(({ mark }) => mark)),
          result: fresh.length,
        };
      },
    });
  }

  /** Replaces the mutation by a noop in every later push. Once settled, the mutation is refused with `reason`. */
  withdraw(withdrawn: SendableEntry, reason: Problem): Promise<void> {
    const rowId = rowIdOf(withdrawn);
    const payload = { kind: 'noop', because: 'unsendable', reason } as const;
    const withNoop = <Entry extends SendableEntry>(entry: Entry): Entry =>
      rowIdOf(entry) === rowId && entry.payload.kind === 'mutation' ? { ...entry, payload } : entry;
    return this.#rewrite((content) => ({
      ...content,
      pending: content.pending.map(withNoop),
      forwarded: content.forwarded.map(withNoop),
    }));
  }

  /**
   * Stores the answers to forwarded work until a pull brings its effects. A recording whose answer the server forgot is
   * sent again under a derived client id.
   */
  rememberAnswers(answers: ForwardedAnswer[], cursor: string): Promise<void> {
    const outcomes = new Map(answers.map(({ entry, outcome }) => [rowIdOf(entry), outcome]));
    const answered = (entry: ForwardedEntry): ForwardedEntry => {
      const outcome = outcomes.get(rowIdOf(entry));
      return outcome === undefined ? entry : { ...entry, answer: { cursor, outcome } };
    };
    return this.#rewrite((content) => {
      const forwarded = content.forwarded.map(answered);
      return moveToDerivedClients(
        { ...content, forwarded },
        (entry) => entry.answer?.outcome === 'forgotten' && isRecordingUpload(entry) && !isReplaced(entry),
      );
    });
  }

  /** Reads all rows before it assigns numbers, since the events of other tabs' writes may come late. */
  #renumber(decide: (content: OutboxContent) => OutboxContent): Promise<void> {
    const read = () => this.#table.refreshAll();
    return this.#writer.rewrite({ read, decide: (content) => ({ content: decide(content), result: undefined }) });
  }

  #rewrite(decide: (content: OutboxContent) => OutboxContent): Promise<void> {
    return this.#writer.rewrite({ decide: (content) => ({ content: decide(content), result: undefined }) });
  }
}
