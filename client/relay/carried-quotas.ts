/**
 * Decides what a carrier has room for. Whole requests, answers and requests that are still being received have a quota each:
 * a device that begins many and ends none takes no room from others, and a request that was not delivered is never dropped.
 */
import type { Message, Messages } from './carried-index.ts';

/** Counts the messages that this device carries for others, without those that are still being received. */
export interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest of them came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

const messagesMax = 64;
const bytesMax = 16 * 1024 * 1024;
const answersBytesMax = 16 * 1024 * 1024;
const partialsMax = 16;
const partialsBytesMax = 4 * 1024 * 1024;

const inState = (messages: Messages, ...states: Message['state'][]): Messages =>
  messages.filter(([, { state }]) => states.includes(state));
const storedBytes = (messages: Messages): number => messages.reduce((sum, [, { have }]) => sum + have, 0);

/** The oldest first. */
const ended = (messages: Messages): Messages => [...inState(messages, 'refused'), ...inState(messages, 'answered')];

export function summaryOf(messages: Messages): Carrying {
  const carried = inState(messages, 'held', 'answered');
  return {
    messages: carried.length,
    bytes: storedBytes(carried),
    oldest_at: carried[0]?.[1].taken_at ?? null,
  };
}

export const freeBytesOf = (messages: Messages): number =>
  Math.max(0, bytesMax - storedBytes(inState(messages, 'held')));

/** Tells whether a whole request of so many bytes fits beside those that were not delivered. */
export const hasRoom = (messages: Messages, bytes: number): boolean =>
  inState(messages, 'held').length < messagesMax && bytes <= freeBytesOf(messages);

/** Returns what has to go for one more whole request. */
export function toDropForWhole(messages: Messages): string[] {
  const dropped = inState(messages, 'held').length + ended(messages).length + 1 - messagesMax;
  return ended(messages)
    .slice(0, Math.max(0, dropped))
    .map(([id]) => id);
}

/** Returns the answers that have to go for one more, the oldest first. */
export function toDropForAnswer(messages: Messages, bytes: number): string[] {
  const answered = inState(messages, 'answered');
  return oldestUntilFits(answered, { bytes, bytesMax: answersBytesMax, countMax: messagesMax });
}

/** Returns the requests that are still being received and have to go for a part of this one. */
export function toDropForPart(messages: Messages, { id, bytes }: { id: string; bytes: number }): string[] {
  const others = inState(messages, 'receiving').filter(([other]) => other !== id);
  const own = messages.find(([other]) => other === id)?.[1].have ?? 0;
  return oldestUntilFits(others, { bytes: own + bytes, bytesMax: partialsBytesMax, countMax: partialsMax });
}

/** Returns the oldest that have to go so that one more of so many bytes fits. */
function oldestUntilFits(
  present: Messages,
  { bytes, bytesMax: max, countMax }: { bytes: number; bytesMax: number; countMax: number },
): string[] {
  let left = storedBytes(present);
  const dropped: string[] = [];
  for (const [id, { have }] of present) {
    const fits = left + bytes <= max && present.length - dropped.length < countMax;
    if (fits) break;
    dropped.push(id);
    left -= have;
  }
  return dropped;
}
