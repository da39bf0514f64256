/** Shows the pushes of a hand-over as QR codes on the screen. No answer comes back to this device. */
import { codeDataBytesMax, codeName, codeTextsOf, orderOfCycle } from '../../shared/relay/code-frames.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import type { View } from '../view/view.ts';
import type { HandOvers } from './hand-overs.ts';
import type { MessageHolders } from './message-holders.ts';
import { shownCodesHolder, type ReceiptOutcome, type Receipts } from './receipts.ts';
import type { SealedMessages } from './sealed-messages.ts';

export interface ShownCodes {
  /** The names of the messages. A phone that reads the codes shows them, too. */
  names: string[];
  /** How many recordings are in the codes. */
  recordings: number;
  /** How many recordings wait for a later time, since a cycle has only a limited number of codes. */
  recordingsLeft: number;
  notShown: NotShown;
  /** How many codes there are. */
  count: number;
  /** Returns the texts of the QR codes in the order of the given cycle, counted from 0. */
  cycle(number: number): string[];
  /** Must be called when the person says that a phone has read all codes. The engine does not take this as proof. */
  rememberHolder(): Promise<void>;
}

/** Counts the recordings on this device that are not in the codes on its screen. */
export interface NotShown {
  /** Recordings whose receipt was typed in. They leave the device after its next pull. */
  arrived: number;
  /** Recordings whose push was refused in whole or in part. A person decides about them on a phone. */
  refused: number;
  /** Recordings whose push is too large to be sealed, or comes after such a push. They wait for a network. */
  tooLarge: number;
  /** True if a pull has proven all work of this device, and none of it was refused. */
  isAllSafe: boolean;
}

/** Limits the codes of a cycle: at 10 a second, a cycle takes a minute. The first message is shown even if larger. */
const countMax = 600;

interface ShowCodesOptions {
  /** The name of the server in frames. */
  server: string;
  handOvers: HandOvers;
  messages: SealedMessages;
  holders: MessageHolders;
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
    const codes = codeTextsOf({ server, id, request: sealed, dataBytes });
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

interface NotShownOptions extends Pick<View, 'unsettled' | 'refused'> {
  /**
   * The sessions of the recordings in the QR codes on the screen, and of the recordings that wait for a later time. The
   * second group waits, since a cycle has only a limited number of codes.
   */
  shown: readonly string[];
  outcomeOf: (session: string) => ReceiptOutcome;
}

export function notShownOf({ unsettled, refused, shown, outcomeOf }: NotShownOptions): NotShown {
  const sessionOf = ({ args }: { args: Record<string, unknown> }) => String(args['recording_session_id']);
  // Leave out a forwarded upload that has an answer, since it only waits for a pull.
  const waiting = unsettled.filter(
    (entry) => isRecordingUpload(entry) && !(entry.state === 'forwarded' && entry.answer !== undefined),
  );
  const places = new Map<string, 'arrived' | 'attention' | 'tooLarge'>();
  for (const session of waiting.map(sessionOf)) places.set(session, outcomeOf(session) ?? 'tooLarge');
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
