/** The screen on which a person hands this phone's work over to the phone of a colleague, step by step. */
import { useEffect, useState } from 'preact/hooks';
import type { HandOverProgress, OfferedChannel } from '../../../client.ts';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { loadHandOver } from '../../shell/relay.ts';
import { Link } from '../../shell/router.tsx';
import { giveHandOverTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CameraView } from './camera-view.tsx';
import {
  handOverFailureText,
  handOverOutcomeContent,
  isAllGiven,
  canTryAgain,
  progressTexts,
} from './hand-over-outcome.ts';
import { OutcomeView, MeetingCode, MeetingStep } from './meeting-parts.tsx';
import { useHandOver, type WrongCode } from './use-hand-over.ts';

export function HandOverScreen() {
  const giving = useHandOver();
  useWakeLock();
  return (
    <Screen title={giveHandOverTexts.title} back="/sync">
      <HandOverStep {...giving} />
    </Screen>
  );
}

function HandOverStep({ state, begin, read, showAgain, take, stop }: ReturnType<typeof useHandOver>) {
  switch (state.kind) {
    case 'ready':
      return <HandOverPreview onBegin={begin} />;
    case 'opening':
      return <p role="status">{giveHandOverTexts.preparing}</p>;
    case 'showing':
      return <OfferStep offered={state.offered} onRead={() => read(state.offered)} />;
    case 'reading': {
      const { offered, wrong } = state;
      return (
        <MeetingStep title={giveHandOverTexts.readTitle}>
          <CameraView
            onText={(text) => take(offered, text)}
            onClose={() => showAgain(offered)}
            closeText={giveHandOverTexts.showAgain}
          >
            {wrong ? <WrongCodeNote wrong={wrong} /> : <p class="soft">{giveHandOverTexts.readHow}</p>}
          </CameraView>
        </MeetingStep>
      );
    }
    case 'connecting':
      return (
        <MeetingStep title={giveHandOverTexts.connecting}>
          <progress aria-label={giveHandOverTexts.connecting} />
          <p>{giveHandOverTexts.connectingWhy}</p>
          <Button wide class="meeting-button" onClick={stop}>
            {giveHandOverTexts.stop}
          </Button>
        </MeetingStep>
      );
    case 'giving':
      return <GivingStep progress={state.progress} onStop={stop} />;
    case 'ended':
      return (
        <OutcomeView words={handOverOutcomeContent(state.outcome)}>
          {canTryAgain(state.outcome) && (
            <Button look="primary" wide class="meeting-button" onClick={begin}>
              {giveHandOverTexts.again}
            </Button>
          )}
          <Link
            href="/sync"
            class={`button button-wide meeting-button button-${canTryAgain(state.outcome) ? 'plain' : 'primary'}`}
          >
            {giveHandOverTexts.done}
          </Link>
        </OutcomeView>
      );
  }
}

/** Says before the first step which work this phone will hand over, its size, and how long each phone keeps it. */
function HandOverPreview({ onBegin }: { onBegin(): void }) {
  const pending = useValue(useGemba().status$)?.pending;
  const preview = usePreview(pending);
  if (pending === 0) return <EmptyState title={giveHandOverTexts.nothing} text={giveHandOverTexts.nothingWhy} />;
  if (preview.kind === 'failed') return <p role="alert">{handOverFailureText(preview.error)}</p>;
  if (preview.kind === 'loading') return <p role="status">{giveHandOverTexts.preparing}</p>;
  const { recordings, changes, bytes, isSettled } = preview.progress;
  const isSomething = recordings + changes > 0;
  if (!isSomething && isSettled) return <p role="status">{giveHandOverTexts.finishing}</p>;
  return (
    <section class="card stack meeting-step">
      <p class={isSomething ? 'meeting-amount' : 'meeting-count'}>
        {isSomething ? giveHandOverTexts.what(recordings, changes) : giveHandOverTexts.awaited}
      </p>
      {isSomething && <p>{giveHandOverTexts.sealed(sizeText(bytes))}</p>}
      <p>{giveHandOverTexts.kept}</p>
      <p>{giveHandOverTexts.sameNetwork}</p>
      <Button look="primary" wide class="meeting-button" onClick={onBegin}>
        {giveHandOverTexts.start}
      </Button>
    </section>
  );
}

type PreviewState =
  | { kind: 'loading' }
  | { kind: 'ready'; progress: HandOverProgress }
  | { kind: 'failed'; error: unknown };

const previewIntervalMs = 2_000;

/** Loads what can be handed over, and loads it again while a finished recording waits for the end of its undo time. */
function usePreview(pending: number | undefined): PreviewState {
  const [preview, setPreview] = useState<PreviewState>({ kind: 'loading' });
  useEffect(() => {
    let timer = 0;
    let isLeft = false;
    const look = async () => {
      const next = await loadPreview();
      if (isLeft) return;
      setPreview(next);
      if (next.kind === 'failed') return;
      const { recordings, changes } = next.progress;
      if (pending && recordings + changes < pending) timer = window.setTimeout(look, previewIntervalMs);
    };
    if (pending) void look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [pending]);
  return preview;
}

async function loadPreview(): Promise<Exclude<PreviewState, { kind: 'loading' }>> {
  try {
    return { kind: 'ready', progress: await (await loadHandOver()).previewHandOver() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function OfferStep({ offered, onRead }: { offered: OfferedChannel; onRead(): void }) {
  return (
    <MeetingStep title={giveHandOverTexts.show}>
      <MeetingCode text={offered.code} label={giveHandOverTexts.code} />
      <p>{giveHandOverTexts.showHow}</p>
      <Button look="primary" wide class="meeting-button" icon="forward" onClick={onRead}>
        {giveHandOverTexts.read}
      </Button>
    </MeetingStep>
  );
}

const wrongCodeText = (wrong: WrongCode): string =>
  ({ earlier: giveHandOverTexts.earlierCode, offer: giveHandOverTexts.otherGives, none: giveHandOverTexts.noCode })[
    wrong
  ];

const WrongCodeNote = ({ wrong }: { wrong: WrongCode }) => (
  <p class="meeting-note" role="alert">
    {wrongCodeText(wrong)}
  </p>
);

function GivingStep({ progress, onStop }: { progress: HandOverProgress | undefined; onStop(): void }) {
  const lines = progress ? progressTexts(progress) : [];
  return (
    <MeetingStep title={giveHandOverTexts.giving}>
      <progress aria-label={giveHandOverTexts.giving} value={progress?.givenBytes} max={progress?.bytes} />
      {lines.map((line) => (
        <p key={line} class="meeting-count">
          {line}
        </p>
      ))}
      <p role="status">{isAllGiven(progress) ? giveHandOverTexts.awaits : giveHandOverTexts.stayClose}</p>
      <Button wide class="meeting-button" onClick={onStop}>
        {giveHandOverTexts.stop}
      </Button>
    </MeetingStep>
  );
}
