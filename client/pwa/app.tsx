/** Opens the engine, and shows the face: the views of the phone or of the watch, or pairing before anything else. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import type { Gemba } from '../client.ts';
import { EmptyState } from './components/empty-state.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { ToastRegion } from './components/toast.tsx';
import { EngineContext, FaceContext, openEngine, useValue, type Face } from './engine.tsx';
import { PairScreen } from './pairing/pair-screen.tsx';
import { wasPaired } from './pairing/paired.ts';
import { usePath } from './router.tsx';
import { texts } from './texts.ts';
import { UpdateOffer } from './update/update-offer.tsx';
import { startUpdates } from './update/updates.ts';

interface Opened {
  gemba: Gemba;
  View: FunctionComponent;
}

/** Begun before anything is drawn. Each face loads its own views only. */
export async function open(face: Face): Promise<Opened> {
  const [gemba, View] = await Promise.all([openEngine(face), viewOf(face)]);
  return { gemba, View };
}

interface AppProps {
  face: Face;
  opening: Promise<Opened>;
}

export function App({ face, opening }: AppProps) {
  const [opened, setOpened] = useState<Opened>();
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    opening.then(
      (it) => {
        setOpened(it);
        startUpdates(it.gemba.recording$);
      },
      (error: unknown) => {
        reportError(error);
        setFailed(true);
        // The next version may be able to open it.
        startUpdates(new BehaviorSubject(null));
      },
    );
  }, [opening]);

  if (failed) {
    return (
      <main class="screen">
        <EmptyState title={texts.noStorage.title} text={texts.noStorage.text} />
      </main>
    );
  }
  if (!opened) return <Opening />;
  const { gemba, View } = opened;
  return (
    <ErrorBoundary>
      <FaceContext.Provider value={face}>
        <EngineContext.Provider value={gemba}>
          <PairedOnly gemba={gemba} face={face} View={View} />
          <UpdateOffer />
          <ToastRegion />
        </EngineContext.Provider>
      </FaceContext.Provider>
    </ErrorBoundary>
  );
}

const viewOf = (face: Face): Promise<FunctionComponent> =>
  face === 'watch'
    ? import('./watch/watch.tsx').then(({ Watch }) => Watch)
    : import('./phone/phone.tsx').then(({ Phone }) => Phone);

interface PairedOnlyProps extends Opened {
  face: Face;
}

/** Who lost its token sees what it has, with the status saying so; who never had one pairs first. */
function PairedOnly({ gemba, face, View }: PairedOnlyProps) {
  const path = usePath();
  const status = useValue(gemba.status$);
  const [paired, setPaired] = useState(wasPaired(face));
  if (status === undefined) return <Opening />;
  const asksToPair = path === (face === 'watch' ? '/watch/pair' : '/pair');
  if (asksToPair || !(paired || status.last_synced_at !== null)) {
    return <PairScreen onPaired={() => setPaired(true)} />;
  }
  return <View />;
}

/** Empty at first: most often the app is there before anybody could read a word. */
function Opening() {
  return (
    <main class="opening">
      <p role="status">{texts.opening}</p>
    </main>
  );
}
