/**
 * The state machine of a carrier that has read the offer of another phone: it shows its answer as a QR code, and takes
 * the other phone's work over the data channel that the two codes open.
 *
 *   preparing ─► answering ─ the other phone reads the code ─► taking ─► ended
 *        └ no network, or the browser cannot use the offer: ended ─────────┘
 */
import { useEffect, useState } from 'preact/hooks';
import { answerChannel, type ByteChannel, type CarryProgress } from '../../../client.ts';
import { vibrate } from '../../recorder/run-with-vibration.ts';
import { attachedCarrier } from '../../shell/attached-carrier.ts';
import type { TakeOverOutcome } from './take-over-outcome.ts';

export type TakeOverState =
  | { kind: 'preparing' }
  | { kind: 'answering'; code: string }
  | { kind: 'taking'; progress?: CarryProgress }
  | { kind: 'ended'; outcome: TakeOverOutcome };

const readVibrationMs = 60;
const endVibrationMs = 200;

/** Ends the connection when the component unmounts. */
export function useTakeOver(offer: string): TakeOverState {
  const [state, setState] = useState<TakeOverState>({ kind: 'preparing' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: TakeOverState) => {
      if (!signal.aborted) setState(next);
    };
    vibrate(readVibrationMs);
    void takeOver({ offer, signal, show }).then((outcome) => {
      if (!outcome) return;
      show({ kind: 'ended', outcome });
      if (!signal.aborted) vibrate(endVibrationMs);
      controller.abort();
    });
    return () => controller.abort();
  }, [offer]);
  return state;
}

interface TakeOverOptions {
  offer: string;
  signal: AbortSignal;
  show(next: TakeOverState): void;
}

/** Resolves to undefined if the person left the screen. */
async function takeOver({ offer, signal, show }: TakeOverOptions): Promise<TakeOverOutcome | undefined> {
  let channel: ByteChannel;
  try {
    const answered = await answerChannel(offer, { signal });
    if (!answered || answered === 'no_network') return { kind: answered ?? 'odd' };
    show({ kind: 'answering', code: answered.code });
    channel = await answered.connected;
  } catch {
    return signal.aborted ? undefined : { kind: 'odd' };
  }
  vibrate(readVibrationMs);
  show({ kind: 'taking' });
  let progress: CarryProgress | undefined;
  const onProgress = (next: CarryProgress) => {
    progress = next;
    show({ kind: 'taking', progress });
  };
  const { ended } = await attachedCarrier.carry(channel, { onProgress });
  return { kind: 'met', ended, progress };
}
