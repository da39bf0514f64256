/**
 * Checks the receipts that a person types in from a carrier's screen. A correct receipt proves to the person that the
 * server answered a push. The outbox keeps the work until a pull proves to the engine that the server has it.
 */
import { fromBase64url } from '../../shared/relay/base64url.ts';
import { formatTypedCode, normalizeTypedCode } from '../../shared/relay/base32.ts';
import { receiptOf } from '../../shared/relay/receipt.ts';
import { mutex } from '../core/mutex.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { MessageHolders } from './message-holders.ts';
import type { SealedMessage, SealedMessages, SealedPush } from './sealed-messages.ts';

/**
 * `arrived`: the server applied the whole push that contains the recording. `attention`: the server refused something
 * in that push, perhaps the recording itself. Null if no receipt of the recording was typed in since the server was
 * last restored.
 */
export type ReceiptOutcome = 'arrived' | 'attention' | null;

export type ReceiptEntry =
  | { kind: 'arrived' | 'attention'; recordings: number }
  | { kind: 'wrong'; triesLeft: number }
  /** No message waits for a receipt, or every waiting message had too many wrong tries. */
  | { kind: 'none_expected' };

type ReceiptRow = Extract<HandOverBody, { kind: 'receipt' }>;

interface ReceiptsOptions {
  table: Table<HandOverBody>;
  messages: SealedMessages;
  holders: MessageHolders;
  now: () => string;
  /**
   * The epoch of the last pull. A receipt from an earlier epoch does not count, since the server was restored and may
   * have lost the work.
   */
  epoch: () => string | undefined;
}

/**
 * The holder name that stands for all phones that read the codes on this screen, since this device does not know them.
 * It differs from every carrier's name, which has 16 hex digits.
 */
export const shownCodesHolder = 'codes';

export const triesMax = 5;
/** Limits the stored receipts. The oldest are dropped, but their recordings stay in the outbox. */
const rowsMax = 256;

export class Receipts {
  readonly #options: ReceiptsOptions;
  readonly #inTurn = mutex();

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /**
   * Compares the typed receipt with the two possible receipts of each waiting message: one for a push that the server
   * applied as a whole, and one for a push in which the server refused something.
   */
  enter(typed: string): Promise<ReceiptEntry> {
    return this.#inTurn(async () => {
      const receipt = formatTypedCode(normalizeTypedCode(typed));
      const waiting = this.#waiting();
      for (const [id, message] of waiting) {
        const outcome = await outcomeProvenBy(message, receipt);
        if (outcome === null) continue;
        const { sessions } = message.request;
        await this.#write(id, { ...this.#row(id), ...epochFieldOf(message), outcome, sessions });
        await this.#options.holders.add(shownCodesHolder, { id, sessions });
        return { kind: outcome, recordings: sessions.length };
      }
      if (waiting.length === 0) return { kind: 'none_expected' };
      let triesLeft = 0;
      for (const [id, message] of waiting) {
        const row = this.#row(id);
        const wrong_tries = row.wrong_tries + 1;
        triesLeft = Math.max(triesLeft, triesMax - wrong_tries);
        await this.#write(id, { ...row, ...epochFieldOf(message), wrong_tries });
      }
      return { kind: 'wrong', triesLeft };
    });
  }

  outcomeOf(session: string): ReceiptOutcome {
    const rows = this.#rows().filter(([, row]) => row.sessions.includes(session) && this.#isOfPresentEpoch(row));
    const outcomes = rows.map(([, { outcome }]) => outcome);
    if (outcomes.includes('arrived')) return 'arrived';
    return outcomes.includes('attention') ? 'attention' : null;
  }

  /**
   * True if a correct receipt of the message was typed in: the server has answered its whole push, and may have refused
   * parts of it.
   */
  isAnswered(id: string): boolean {
    const row = this.#row(id);
    return row.outcome !== 'none' && this.#isOfPresentEpoch(row);
  }

  #isOfPresentEpoch({ epoch }: Pick<ReceiptRow, 'epoch'>): boolean {
    return epoch === this.#options.epoch();
  }

  #waiting(): [id: string, message: SealedMessage & { request: SealedPush }][] {
    return this.#options.messages.all().flatMap(([id, message]) => {
      const { request } = message;
      const { outcome, wrong_tries } = this.#row(id);
      const isOpen = outcome === 'none' && wrong_tries < triesMax && this.#isOfPresentEpoch(message);
      return request.kind === 'push' && isOpen ? [[id, { ...message, request }] as const] : [];
    }) as [string, SealedMessage & { request: SealedPush }][];
  }

  #row(id: string): ReceiptRow {
    const body = this.#options.table.get(rowPrefix + id);
    if (body?.kind === 'receipt') return body;
    return { kind: 'receipt', wrong_tries: 0, outcome: 'none', at: this.#options.now(), sessions: [] };
  }

  #rows(): [rowId: string, row: ReceiptRow][] {
    return [...this.#options.table.entries()].flatMap(([rowId, body]): [string, ReceiptRow][] =>
      body.kind === 'receipt' ? [[rowId, body]] : [],
    );
  }

  async #write(id: string, row: ReceiptRow): Promise<void> {
    const rowId = rowPrefix + id;
    const others = this.#rows().filter(([other]) => other !== rowId);
    const oldestFirst = others.toSorted(([, a], [, b]) => Date.parse(a.at) - Date.parse(b.at));
    const dropped = oldestFirst.slice(0, Math.max(0, others.length + 1 - rowsMax)).map(([other]) => other);
    await this.#options.table.write([{ id: rowId, body: { ...row, at: this.#options.now() } }], dropped);
  }
}

const rowPrefix = 'receipt|';

const epochFieldOf = ({ epoch }: SealedMessage): Pick<ReceiptRow, 'epoch'> => (epoch === undefined ? {} : { epoch });

async function outcomeProvenBy(
  { request, receipt_secret }: SealedMessage & { request: SealedPush },
  receipt: string,
): Promise<ReceiptOutcome> {
  const secret = fromBase64url(receipt_secret) ?? new Uint8Array();
  const lastSeq = request.seqs.at(-1) ?? 0;
  for (const isRefused of [false, true]) {
    if ((await receiptOf({ secret, lastSeq, isRefused })) === receipt) return isRefused ? 'attention' : 'arrived';
  }
  return null;
}
