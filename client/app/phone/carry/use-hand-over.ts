/**
 * The state machine of the phone that hands over: it shows its offer as a QR code, reads the other phone's answer, and
 * gives its work over the data channel that the two codes open.
 *
 *   ready ─► opening ─► showing ◄─► reading ─ answer ───► connecting ─► giving ─► ended
 *     ▲         │ no camera,            │ another code: `wrong`   │ not reached     │
 *     │         └ no network: ended ◄───┼─────────────────────────┘                 │
 *     └──── stop ───────────────────────┴────────────────── again ◄─────────────────┘
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { firstValueFrom } from 'rxjs';
import {
  offerChannel,
  sessionCodeKind,
  type ByteChannel,
  type HandOverProgress,
  type OfferedChannel,
} from '../../../client.ts';
import { vibrate } from '../../recorder/run-with-vibration.ts';
import { loadHandOver } from '../../shell/relay.ts';
import { askForCamera } from './code-camera.ts';
import type { HandOverOutcome } from './hand-over-outcome.ts';

/**
 * The code that the camera saw in place of the other phone's answer. `earlier`: an answer to an earlier offer. `offer`:
 * the offer of another phone that hands over. `none`: some other QR code.
 */
export type WrongCode = 'earlier' | 'offer' | 'none';

export type HandOverState =
  | { kind: 'ready' | 'opening' | 'connecting' }
  | { kind: 'showing'; offered: OfferedChannel }
  | { kind: 'reading'; offered: OfferedChannel; wrong?: WrongCode }
  | { kind: 'giving'; progress?: HandOverProgress }
  | { kind: 'ended'; outcome: HandOverOutcome };

const readVibrationMs = 60;
const endVibrationMs = 200;

/** One try to hand over. Only the current try may change what the screen shows. */
interface HandOverTry {
  controller: AbortController;
  show(next: HandOverState): void;
  end(outcome: HandOverOutcome): void;
}

export function useHandOver() {
  const [state, setState] = useState<HandOverState>({ kind: 'ready' });
  const currentTry = useRef<HandOverTry>(undefined);
  const abortTry = () => {
    currentTry.current?.controller.abort();
    currentTry.current = undefined;
  };
  useEffect(() => abortTry, []);

  /** Starts another try, and aborts the earlier one. */
  const startTry = (): HandOverTry => {
    abortTry();
    const controller = new AbortController();
    const show = (next: HandOverState) => {
      if (currentTry.current === started) setState(next);
    };
    const end = (outcome: HandOverOutcome) => {
      controller.abort();
      // Vibrates only for the current try. A person who stopped a try or left the screen needs no vibration.
      if (currentTry.current === started) vibrate(endVibrationMs);
      show({ kind: 'ended', outcome });
    };
    const started = { controller, show, end };
    currentTry.current = started;
    return started;
  };

  const begin = async () => {
    const { controller, show, end } = startTry();
    show({ kind: 'opening' });
    try {
      const failure = await askForCamera();
      if (failure) return end({ kind: 'camera', failure });
      const offered = await offerChannel({ signal: controller.signal });
      if (offered === 'no_network') return end({ kind: 'no_network' });
      show({ kind: 'showing', offered });
    } catch (error) {
      end({ kind: 'failed', error });
    }
  };

  const take = async (offered: OfferedChannel, text: string) => {
    const channel = offered.accept(text);
    const current = currentTry.current;
    if (!current) return;
    if (channel) {
      vibrate(readVibrationMs);
      current.show({ kind: 'connecting' });
      await connectAndHandOver(channel, current);
    } else {
      const wrong = wrongCodeOf(text);
      // While the app decoded the last picture, the person may have closed the camera.
      setState((before) => (before.kind === 'reading' ? { kind: 'reading', offered, wrong } : before));
    }
  };

  return {
    state,
    begin: () => void begin(),
    read: (offered: OfferedChannel) => setState({ kind: 'reading', offered }),
    showAgain: (offered: OfferedChannel) => setState({ kind: 'showing', offered }),
    /** Takes the text of a QR code. Connects if the text is the other phone's answer. */
    take,
    /** Ends the try. The carrier keeps what this phone has given. */
    stop: () => {
      if (state.kind === 'giving') return currentTry.current?.controller.abort();
      abortTry();
      setState({ kind: 'ready' });
    },
  };
}

async function connectAndHandOver(connecting: Promise<ByteChannel>, { show, end }: HandOverTry): Promise<void> {
  let channel: ByteChannel;
  try {
    channel = await connecting;
  } catch {
    return end({ kind: 'not_reached' });
  }
  show({ kind: 'giving' });
  let progress: HandOverProgress | undefined;
  const onProgress = (next: HandOverProgress) => {
    progress = next;
    show({ kind: 'giving', progress });
  };
  try {
    const part = await loadHandOver();
    const { ended } = await part.handOver(channel, { onProgress });
    end({ kind: 'met', ended, progress, problem: await firstValueFrom(part.handOverProblem$) });
  } catch (error) {
    end({ kind: 'failed', error });
  }
}

function wrongCodeOf(text: string): WrongCode {
  const kind = sessionCodeKind(text);
  return kind === 'offer' ? 'offer' : kind === 'answer' ? 'earlier' : 'none';
}
