/** Opens the engine, and shows the face: the views of the phone or of the watch, or pairing before anything else. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import type { Gemba } from '../client.ts';
import { EmptyState } from './components/empty-state.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { ToastRegion } from './components/toast.tsx';
import { early } from './early.ts';
import { EngineContext, FaceContext, useValue, type Face, type Opening } from './engine.tsx';
import { PairScreen } from './pairing/pair-screen.tsx';
import { pairedAs } from './pairing/paired.ts';
import { usePath } from './router.tsx';
import { startWaking } from './service-worker/waking.ts';
import { texts } from './texts.ts';
import { UpdateOffer } from './update/update-offer.tsx';
import { startUpdates } from './update/updates.ts';

interface AppProps {
  face: Face;
  view: Promise<FunctionComponent>;
  opening: Opening;
}

export function App({ face, view, opening }: AppProps) {
  const gemba = useMemo(() => early(opening, face), [opening, face]);
  const [View, setView] = useState<FunctionComponent>();
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    view.then(
      (it) => setView(() => it),
      () => undefined,
    );
    Promise.all([opening.opened, view]).then(
      ([opened]) => {
        startUpdates(opened.recording$);
        startWaking(opened);
      },
      (error: unknown) => {
        reportError(error);
        setFailed(true);
        // The next version may be able to open it.
        startUpdates(new BehaviorSubject(null));
      },
    );
  }, [view, opening]);

  if (failed) {
    return (
      <main class="screen">
        <EmptyState title={texts.noStorage.title} text={texts.noStorage.text} />
      </main>
    );
  }
  if (!View) return <Opening />;
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

/** Each face loads its own only. */
export const viewOf = (face: Face): Promise<FunctionComponent> =>
  face === 'watch'
    ? import('./watch/watch.tsx').then(({ Watch }) => Watch)
    : import('./phone/phone.tsx').then(({ Phone }) => Phone);

interface PairedOnlyProps {
  gemba: Gemba;
  face: Face;
  View: FunctionComponent;
}

/** Who lost its token sees what it has, with the status saying so; who never had one pairs first. */
function PairedOnly({ gemba, face, View }: PairedOnlyProps) {
  const path = usePath();
  const status = useValue(gemba.status$);
  const [paired, setPaired] = useState(pairedAs(face) !== null);
  // The same element, so that a new status is no reason to draw everything.
  const view = useMemo(() => <View />, [View]);
  const asksToPair = path === (face === 'watch' ? '/watch/pair' : '/pair');
  // A phone has something to show before the engine is open.
  if (status === undefined && (asksToPair || !paired || face === 'watch')) return <Opening />;
  if (asksToPair || !(paired || status?.last_synced_at)) return <PairScreen onPaired={() => setPaired(true)} />;
  return view;
}

/** Empty at first: most often the app is there before anybody could read a word. */
function Opening() {
  return (
    <main class="opening">
      <p role="status">{texts.opening}</p>
    </main>
  );
}
