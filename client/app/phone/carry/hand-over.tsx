/** Hands this phone's work over to a phone of a colleague, one step after another. */
import { useEffect, useState } from 'preact/hooks';
import type { HandOverProgress, OfferedChannel } from '../../../client.ts';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { loadHandOver } from '../../shell/relay.ts';
import { Link } from '../../shell/router.tsx';
import { giveTexts } from '../../text/relay/phone-relay.ts';
import { sizeText } from '../../ui/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CameraView } from './camera-view.tsx';
import { failureText, giveWords, isAllGiven, mayBeginAgain, progressLines } from './give-outcome.ts';
import { OutcomeView, ShownCode, Step } from './meeting-parts.tsx';
import { useGiving, type WrongCode } from './use-giving.ts';

export function HandOverScreen() {
  const giving = useGiving();
  useWakeLock();
  return (
    <Screen title={giveTexts.title} back="/sync">
      <GivingStep {...giving} />
    </Screen>
  );
}

function GivingStep({ state, begin, read, showAgain, take, stop }: ReturnType<typeof useGiving>) {
  switch (state.kind) {
    case 'ready':
      return <Ready onBegin={begin} />;
    case 'opening':
      return <p role="status">{giveTexts.preparing}</p>;
    case 'showing':
      return <Showing offered={state.offered} onRead={() => read(state.offered)} />;
    case 'reading': {
      const { offered, wrong } = state;
      return (
        <Step title={giveTexts.readTitle}>
          <CameraView
            onText={(text) => take(offered, text)}
            onClose={() => showAgain(offered)}
            closeText={giveTexts.showAgain}
          >
            {wrong ? <WrongCodeNote wrong={wrong} /> : <p class="soft">{giveTexts.readHow}</p>}
          </CameraView>
        </Step>
      );
    }
    case 'connecting':
      return (
        <Step title={giveTexts.connecting}>
          <progress aria-label={giveTexts.connecting} />
          <p>{giveTexts.connectingWhy}</p>
          <Button wide class="meeting-button" onClick={stop}>
            {giveTexts.stop}
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
              {giveTexts.again}
            </Button>
          )}
          <Link
            href="/sync"
            class={`button button-wide meeting-button button-${mayBeginAgain(state.outcome) ? 'plain' : 'primary'}`}
          >
            {giveTexts.done}
          </Link>
        </OutcomeView>
      );
  }
}

/** Tells before the first step what goes, how much that is and who keeps it for how long. */
function Ready({ onBegin }: { onBegin(): void }) {
  const pending = useValue(useGemba().status$)?.pending;
  const preview = usePreview(pending);
  if (pending === 0) return <EmptyState title={giveTexts.nothing} text={giveTexts.nothingWhy} />;
  if (preview.kind === 'failed') return <p role="alert">{failureText(preview.error)}</p>;
  if (preview.kind === 'loading') return <p role="status">{giveTexts.preparing}</p>;
  const { recordings, changes, bytes, isSettled } = preview.progress;
  const isSomething = recordings + changes > 0;
  if (!isSomething && isSettled) return <p role="status">{giveTexts.finishing}</p>;
  return (
    <section class="card stack meeting-step">
      <p class={isSomething ? 'meeting-amount' : 'meeting-count'}>
        {isSomething ? giveTexts.what(recordings, changes) : giveTexts.awaited}
      </p>
      {isSomething && <p>{giveTexts.sealed(sizeText(bytes))}</p>}
      <p>{giveTexts.kept}</p>
      <p>{giveTexts.sameNetwork}</p>
      <Button look="primary" wide class="meeting-button" onClick={onBegin}>
        {giveTexts.start}
      </Button>
    </section>
  );
}

type Preview = { kind: 'loading' } | { kind: 'ready'; progress: HandOverProgress } | { kind: 'failed'; error: unknown };

const lookAgainMs = 2_000;

/** Looks again while some work is still on its way: a finished recording waits for its undo time. */
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
    <Step title={giveTexts.show}>
      <ShownCode text={offered.code} label={giveTexts.code} />
      <p>{giveTexts.showHow}</p>
      <Button look="primary" wide class="meeting-button" icon="forward" onClick={onRead}>
        {giveTexts.read}
      </Button>
    </Step>
  );
}

const wrongCodeText = (wrong: WrongCode): string =>
  ({ earlier: giveTexts.earlierCode, offer: giveTexts.otherGives, none: giveTexts.noCode })[wrong];

const WrongCodeNote = ({ wrong }: { wrong: WrongCode }) => (
  <p class="meeting-note" role="alert">
    {wrongCodeText(wrong)}
  </p>
);

function Given({ progress, onStop }: { progress: HandOverProgress | undefined; onStop(): void }) {
  const lines = progress ? progressLines(progress) : [];
  return (
    <Step title={giveTexts.giving}>
      <progress aria-label={giveTexts.giving} value={progress?.givenBytes} max={progress?.bytes} />
      {lines.map((line) => (
        <p key={line} class="meeting-count">
          {line}
        </p>
      ))}
      <p role="status">{isAllGiven(progress) ? giveTexts.awaits : giveTexts.stayClose}</p>
      <Button wide class="meeting-button" onClick={onStop}>
        {giveTexts.stop}
      </Button>
    </Step>
  );
}
