/** Shows what the server may lack as codes on the screen, one way: the pushes of a hand-over, since no answer gets back. */
import { codeDataBytesMax, codeName, codesOf, orderOfCycle } from '../../shared/relay/code-frames.ts';
import type { HandOvers } from './hand-overs.ts';
import type { Holders } from './holders.ts';
import { shownCodesHolder, type Receipts } from './receipts.ts';
import type { SealedMessages } from './sealed-messages.ts';

export interface ShownCodes {
  /** The names of the messages, which the phone that reads them shows, too. */
  names: string[];
  /** How many recordings the codes have. None are left if receipts have proven all. */
  recordings: number;
  /** How many recordings are left for another time, since a screen can show only so many codes. */
  recordingsLeft: number;
  /** How many codes there are. */
  count: number;
  /** Returns the texts of the QR codes in the order of the cycle, which counts from 0. */
  cycle(number: number): string[];
  /** Must be called when the person says that a phone has read all of them, which proves nothing. */
  rememberHolder(): Promise<void>;
}

/** At 10 codes a second, a cycle takes a minute. One message is shown however long it is. */
const countMax = 600;

interface ShowCodesOptions {
  handOvers: HandOvers;
  messages: SealedMessages;
  holders: Holders;
  receipts: Receipts;
  bytesPerCode: number | undefined;
}

export async function showCodes({
  handOvers,
  messages,
  holders,
  receipts,
  bytesPerCode = codeDataBytesMax,
}: ShowCodesOptions): Promise<ShownCodes> {
  const texts: string[] = [];
  const shown: { id: string; sessions: readonly string[] }[] = [];
  let recordingsLeft = 0;
  for (const [id, { request }] of await handOvers.prepare()) {
    const sealed = messages.requestOf(id);
    if (request.kind !== 'push' || !sealed || receipts.isProven(id)) continue;
    const codes = codesOf(id, sealed, Math.min(codeDataBytesMax, Math.max(1, bytesPerCode)));
    const fits = texts.length === 0 || (recordingsLeft === 0 && texts.length + codes.length <= countMax);
    if (fits) {
      texts.push(...codes);
      shown.push({ id, sessions: request.sessions });
    } else {
      recordingsLeft += request.sessions.length;
    }
  }
  return {
    names: shown.map(({ id }) => codeName(id)),
    recordings: shown.reduce((sum, { sessions }) => sum + sessions.length, 0),
    recordingsLeft,
    count: texts.length,
    cycle: (number) => orderOfCycle(texts.length, number).flatMap((index) => texts[index] ?? []),
    rememberHolder: async () => {
      for (const { id, sessions } of shown) await holders.add(shownCodesHolder, { id, sessions: [...sessions] });
    },
  };
}
