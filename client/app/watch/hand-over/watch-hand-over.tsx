/**
 * Hands the watch's work over by codes on its screen.
 *
 *   preparing ─► codes ─ tap ─► asking ─► typing ─► told: safe, needs attention, or wrong
 *                  ▲              │ no code yet ─► told: handed to a phone, not proven
 *                  └──── back ────┘
 *
 * `handOverTexts` must be loaded before the first render.
 */
import './hand-over.css';
import { useEffect, useState } from 'preact/hooks';
import { GembaError, type ReceiptEntry, type ShownCodes } from '../../../client.ts';
import { loadHandOver } from '../../shell/relay.ts';
import { runWithVibration } from '../../recorder/run-with-vibration.ts';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { handOverTexts } from '../../text/relay/watch-relay.ts';
import { texts } from '../../text/texts.ts';
import { Button } from '../../ui/button.tsx';
import { WatchFrame } from '../frame.tsx';
import { RoundButton } from '../round-button.tsx';
import { CodesScreen } from './codes.tsx';
import { OutcomeScreen, type Outcome } from './outcome.tsx';
import { ReceiptKeys } from './receipt-keys.tsx';

/** A QR code with this many bytes has version 6: its 41 by 41 squares fill a small round screen well. */
const bytesPerCode = 117;

type State = { kind: 'preparing' | 'codes' | 'asking' | 'typing' } | { kind: 'told'; outcome: Outcome };

export function HandOverScreen({ onBack }: { onBack(): void }) {
  const [state, setState] = useState<State>({ kind: 'preparing' });
  const [shown, setShown] = useState<ShownCodes>();
  useWakeLock();
  const tell = (outcome: Outcome) => setState({ kind: 'told', outcome });
  useEffect(() => {
    void loadHandOver()
      .then((part) => part.showCodes({ bytesPerCode }))
      .then(
        (codes) => {
          setShown(codes);
          if (codes.count > 0) setState({ kind: 'codes' });
          else tell({ kind: 'nothing', notShown: codes.notShown });
        },
        (error: unknown) => tell({ kind: 'failed', text: failureText(error) }),
      );
  }, []);
  const enter = (typed: string) =>
    runWithVibration(async () => {
      const part = await loadHandOver();
      tell(outcomeOf(await part.enterReceipt(typed)));
    });
  const later = () =>
    runWithVibration(async () => {
      await shown?.rememberHolder();
      tell({ kind: 'handed' });
    });
  switch (state.kind) {
    case 'preparing':
      return (
        <WatchFrame class="watch-list">
          <h1>{handOverTexts.title}</h1>
          <p class="watch-notice">{handOverTexts.preparing}</p>
        </WatchFrame>
      );
    case 'codes':
      return shown ? <CodesScreen shown={shown} onDone={() => setState({ kind: 'asking' })} /> : null;
    case 'asking':
      return (
        <main class="watch watch-choice hand-over-asking" id="content">
          <h1>{handOverTexts.asking}</h1>
          <div class="watch-choices">
            <Button look="primary" wide onClick={() => setState({ kind: 'typing' })}>
              {handOverTexts.enter}
            </Button>
            <Button onClick={later}>{handOverTexts.later}</Button>
            <Button onClick={onBack}>{handOverTexts.cancel}</Button>
          </div>
          <RoundButton icon="back" label={handOverTexts.showAgain} onClick={() => setState({ kind: 'codes' })} />
        </main>
      );
    case 'typing':
      return <ReceiptKeys onTyped={enter} onBack={() => setState({ kind: 'asking' })} />;
    case 'told':
      return <OutcomeScreen outcome={state.outcome} onAgain={() => setState({ kind: 'typing' })} onDone={onBack} />;
  }
}

function outcomeOf(entry: ReceiptEntry): Outcome {
  if (entry.kind === 'wrong' && entry.triesLeft === 0) return { kind: 'none_expected' };
  return entry;
}

function failureText(error: unknown): string {
  if (error instanceof GembaError && error.code === 'unreachable') return handOverTexts.needsNetwork;
  return error instanceof Error ? texts.errorText(error) : '';
}
