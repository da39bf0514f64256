/** Shows what the server may lack as codes on the screen, one way: the pushes of a hand-over, since no answer gets back. */
import { codeDataBytesMax, codeName, codesOf, orderOfCycle } from '../../shared/relay/code-frames.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { View } from '../view/view.ts';
import type { HandOvers } from './hand-overs.ts';
import type { Holders } from './holders.ts';
import { shownCodesHolder, type ReceiptOutcome, type Receipts } from './receipts.ts';
import type { SealedMessages } from './sealed-messages.ts';

export interface ShownCodes {
  /** The names of the messages, which the phone that reads them shows, too. */
  names: string[];
  /** How many recordings the codes have. */
  recordings: number;
  /** How many recordings are left for another time, since a screen can show only so many codes. */
  recordingsLeft: number;
  notShown: NotShown;
  /** How many codes there are. */
  count: number;
  /** Returns the texts of the QR codes in the order of the cycle, which counts from 0. */
  cycle(number: number): string[];
  /** Must be called when the person says that a phone has read all of them, which proves nothing. */
  rememberHolder(): Promise<void>;
}

/** Work on this device that is not in its codes. The counts are of recordings. */
export interface NotShown {
  /** Proven by a receipt. They leave the device with its next pull. */
  arrived: number;
  /** The server refused them, or other work that came with them. A person decides on a phone. */
  refused: number;
  /** Too large to be sealed, or to be sent after such work. They wait for a network. */
  tooLarge: number;
  /** True if a pull has proven all work of this device, and nothing of it was refused. */
  isAllSafe: boolean;
}

/** At 10 codes a second, a cycle takes a minute. One message is shown however long it is. */
const countMax = 600;

interface ShowCodesOptions {
  /** The name of the server, as frames have it. */
  server: string;
  handOvers: HandOvers;
  messages: SealedMessages;
  holders: Holders;
  receipts: Receipts;
  view: Pick<View, 'unsettled' | 'refused'>;
  bytesPerCode: number | undefined;
}

export async function showCodes({
  server,
  handOvers,
  messages,
  holders,
  receipts,
  view,
  bytesPerCode = codeDataBytesMax,
}: ShowCodesOptions): Promise<ShownCodes> {
  const texts: string[] = [];
  const shown: { id: string; sessions: readonly string[] }[] = [];
  const left: string[] = [];
  for (const [id, { request }] of await handOvers.prepare()) {
    const sealed = messages.requestOf(id);
    if (request.kind !== 'push' || !sealed || receipts.isAnswered(id)) continue;
    const dataBytes = Math.min(codeDataBytesMax, Math.max(1, bytesPerCode));
    const codes = codesOf({ server, id, request: sealed, dataBytes });
    const fits = texts.length === 0 || (left.length === 0 && texts.length + codes.length <= countMax);
    if (fits) {
      texts.push(...codes);
      shown.push({ id, sessions: request.sessions });
    } else {
      left.push(...request.sessions);
    }
  }
  const recordings = shown.flatMap(({ sessions }) => sessions);
  return {
    names: shown.map(({ id }) => codeName(id)),
    recordings: recordings.length,
    recordingsLeft: left.length,
    notShown: notShownOf({
      unsettled: view.unsettled,
      refused: view.refused,
      shown: [...recordings, ...left],
      outcomeOf: (session) => receipts.outcomeOf(session),
    }),
    count: texts.length,
    cycle: (number) => orderOfCycle(texts.length, number).flatMap((index) => texts[index] ?? []),
    rememberHolder: async () => {
      for (const { id, sessions } of shown) await holders.add(shownCodesHolder, { id, sessions: [...sessions] });
    },
  };
}

interface WorkAndCodes extends Pick<View, 'unsettled' | 'refused'> {
  /** The recordings in the codes of this time or of the next. */
  shown: readonly string[];
  outcomeOf: (session: string) => ReceiptOutcome;
}

export function notShownOf({ unsettled, refused, shown, outcomeOf }: WorkAndCodes): NotShown {
  const sessionOf = ({ args }: { args: Record<string, unknown> }) => String(args['recording_session_id']);
  // An upload of another device's sequence that is answered waits for the pull alone.
  const lying = unsettled.filter(
    (entry) => isRecordingUpload(entry) && !(entry.state === 'forwarded' && entry.answer !== undefined),
  );
  const places = new Map<string, 'arrived' | 'attention' | 'tooLarge'>();
  for (const session of lying.map(sessionOf)) places.set(session, outcomeOf(session) ?? 'tooLarge');
  for (const session of shown) places.delete(session);
  for (const session of refused.filter(isRecordingUpload).map(sessionOf)) places.set(session, 'attention');
  const count = (place: string) => [...places.values()].filter((one) => one === place).length;
  return {
    arrived: count('arrived'),
    refused: count('attention'),
    tooLarge: count('tooLarge'),
    isAllSafe: unsettled.length === 0 && refused.length === 0,
  };
}
