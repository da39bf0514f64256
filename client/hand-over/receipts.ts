/**
 * Receipts that a person types from a carrier's screen. A right one proves to the person that the server answered a push.
 * The outbox keeps the work until a pull proves it to the engine as well.
 */
import { fromBase64url } from '../../shared/relay/base64url.ts';
import { formatTypedCode, normalizeTypedCode } from '../../shared/relay/base32.ts';
import { receiptOf } from '../../shared/relay/receipt.ts';
import { mutex } from '../core/mutex.ts';
import type { HandOverBody } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import type { Holders } from './holders.ts';
import type { SealedMessage, SealedMessages, SealedPush } from './sealed-messages.ts';

/**
 * Null if no receipt of the recording was typed since the server was last restored; `attention` if the server refused some
 * of what came with the recording, which it then may not have.
 */
export type ReceiptOutcome = 'arrived' | 'attention' | null;

export type ReceiptEntry =
  | { kind: 'arrived' | 'attention'; recordings: number }
  | { kind: 'wrong'; triesLeft: number }
  /** No message waits for a receipt, or each had its tries. */
  | { kind: 'none_expected' };

type ReceiptRow = Extract<HandOverBody, { kind: 'receipt' }>;

interface ReceiptsOptions {
  table: Table<HandOverBody>;
  messages: SealedMessages;
  holders: Holders;
  now: () => string;
  /** The epoch of the last pull. A receipt of an earlier one may be of work that a restored server lacks. */
  epoch: () => string | undefined;
}

/** Stands for the phones that read the screen, which have no names here. Carriers have names of 16 hex digits. */
export const shownCodesHolder = 'codes';

export const triesMax = 5;
/** A recording that waits for its pull for longer loses the word of its receipt, and nothing else. */
const rowsMax = 256;

export class Receipts {
  readonly #options: ReceiptsOptions;
  readonly #inTurn = mutex();

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** Tries the receipt of each message that may have arrived, for work that was applied and for work that was refused. */
  enter(typed: string): Promise<ReceiptEntry> {
    return this.#inTurn(async () => {
      const receipt = formatTypedCode(normalizeTypedCode(typed));
      const waiting = this.#waiting();
      for (const [id, message] of waiting) {
        const outcome = await outcomeIn(message, receipt);
        if (outcome === null) continue;
        const { sessions } = message.request;
        await this.#write(id, { ...this.#row(id), ...epochOf(message), outcome, sessions });
        await this.#options.holders.add(shownCodesHolder, { id, sessions });
        return { kind: outcome, recordings: sessions.length };
      }
      if (waiting.length === 0) return { kind: 'none_expected' };
      let triesLeft = 0;
      for (const [id, message] of waiting) {
        const row = this.#row(id);
        const wrong_tries = row.wrong_tries + 1;
        triesLeft = Math.max(triesLeft, triesMax - wrong_tries);
        await this.#write(id, { ...row, ...epochOf(message), wrong_tries });
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

  /** True if a right receipt of the message was typed: the server has answered all of it, and may have refused some. */
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

const epochOf = ({ epoch }: SealedMessage): Pick<ReceiptRow, 'epoch'> => (epoch === undefined ? {} : { epoch });

async function outcomeIn(
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
