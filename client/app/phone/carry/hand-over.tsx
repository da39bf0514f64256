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
import { failureText, giveWords, isAllGiven, mayBeginAgain, progressLines } from './hand-over-outcome.ts';
import { OutcomeView, ShownCode, Step } from './meeting-parts.tsx';
import { useGiving, type WrongCode } from './use-hand-over.ts';

export function HandOverScreen() {
  const giving = useGiving();
  useWakeLock();
  return (
    <Screen title={giveHandOverTexts.title} back="/sync">
      <GivingStep {...giving} />
    </Screen>
  );
}

function GivingStep({ state, begin, read, showAgain, take, stop }: ReturnType<typeof useGiving>) {
  switch (state.kind) {
    case 'ready':
      return <Ready onBegin={begin} />;
    case 'opening':
      return <p role="status">{giveHandOverTexts.preparing}</p>;
    case 'showing':
      return <Showing offered={state.offered} onRead={() => read(state.offered)} />;
    case 'reading': {
      const { offered, wrong } = state;
      return (
        <Step title={giveHandOverTexts.readTitle}>
          <CameraView
            onText={(text) => take(offered, text)}
            onClose={() => showAgain(offered)}
            closeText={giveHandOverTexts.showAgain}
          >
            {wrong ? <WrongCodeNote wrong={wrong} /> : <p class="soft">{giveHandOverTexts.readHow}</p>}
          </CameraView>
        </Step>
      );
    }
    case 'connecting':
      return (
        <Step title={giveHandOverTexts.connecting}>
          <progress aria-label={giveHandOverTexts.connecting} />
          <p>{giveHandOverTexts.connectingWhy}</p>
          <Button wide class="meeting-button" onClick={stop}>
            {giveHandOverTexts.stop}
          </Button>
        </Step>
      );
    case 'giving':
      return <Given progress={state.progress} onStop={stop} />;
    case 'ended':
      return (
        <OutcomeView words={giveWords(state.outcome)}>
          {mayBeginAgain(state.outcome) && (
            <Button look="primary" wide class="meeting-button" onClick={begin}>
              {giveHandOverTexts.again}
            </Button>
          )}
          <Link
            href="/sync"
            class={`button button-wide meeting-button button-${mayBeginAgain(state.outcome) ? 'plain' : 'primary'}`}
          >
            {giveHandOverTexts.done}
          </Link>
        </OutcomeView>
      );
  }
}

/** Says before the first step what will be handed over, how large it is, and how long each phone keeps it. */
function Ready({ onBegin }: { onBegin(): void }) {
  const pending = useValue(useGemba().status$)?.pending;
  const preview = usePreview(pending);
  if (pending === 0) return <EmptyState title={giveHandOverTexts.nothing} text={giveHandOverTexts.nothingWhy} />;
  if (preview.kind === 'failed') return <p role="alert">{failureText(preview.error)}</p>;
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

type Preview = { kind: 'loading' } | { kind: 'ready'; progress: HandOverProgress } | { kind: 'failed'; error: unknown };

const lookAgainMs = 2_000;

/** Loads what can be handed over, and loads it again while a finished recording waits for the end of its undo time. */
function usePreview(pending: number | undefined): Preview {
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  useEffect(() => {
    let timer = 0;
    let isLeft = false;
    const look = async () => {
      const next = await previewOf();
      if (isLeft) return;
      setPreview(next);
      if (next.kind === 'failed') return;
      const { recordings, changes } = next.progress;
      if (pending && recordings + changes < pending) timer = window.setTimeout(look, lookAgainMs);
    };
    if (pending) void look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [pending]);
  return preview;
}

async function previewOf(): Promise<Exclude<Preview, { kind: 'loading' }>> {
  try {
    return { kind: 'ready', progress: await (await loadHandOver()).previewHandOver() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function Showing({ offered, onRead }: { offered: OfferedChannel; onRead(): void }) {
  return (
    <Step title={giveHandOverTexts.show}>
      <ShownCode text={offered.code} label={giveHandOverTexts.code} />
      <p>{giveHandOverTexts.showHow}</p>
      <Button look="primary" wide class="meeting-button" icon="forward" onClick={onRead}>
        {giveHandOverTexts.read}
      </Button>
    </Step>
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

function Given({ progress, onStop }: { progress: HandOverProgress | undefined; onStop(): void }) {
  const lines = progress ? progressLines(progress) : [];
  return (
    <Step title={giveHandOverTexts.giving}>
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
    </Step>
  );
}
