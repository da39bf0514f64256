/** The root component of both faces. A device that was never paired sees the pairing screen first. */
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import type { Gemba } from '../client.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ToastRegion } from './ui/toast.tsx';
import { startBackgroundSync } from './shell/background-sync.ts';
import { deferredEngine } from './shell/deferred-engine.ts';
import { EngineContext, FaceContext, useValue, type EngineOpening, type Face } from './shell/engine.tsx';
import { OpeningFailure } from './opening-failure.tsx';
import { pairedDeviceName } from './pairing/paired-name.ts';
import { usePath } from './shell/router.tsx';
import { texts } from './text/texts.ts';

/** Loaded once the engine is open, since a recording can begin without it. */
type UpdatesModule = typeof import('./update-offer.tsx');

interface AppProps {
  face: Face;
  View: FunctionComponent;
  opening: EngineOpening;
}

export function App({ face, View, opening }: AppProps) {
  const gemba = useMemo(() => deferredEngine(opening, face), [opening, face]);
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [updates, setUpdates] = useState<UpdatesModule>();
  useLayoutEffect(() => {
    const startUpdates = (recording$: Gemba['recording$']) =>
      import('./update-offer.tsx').then((module) => {
        module.startUpdates(recording$);
        setUpdates(module);
      }, reportError);
    opening.opened.then(
      (opened) => {
        void startUpdates(opened.recording$);
        startBackgroundSync(opened);
      },
      (error: unknown) => {
        reportError(error);
        setFailure({ error });
        // Looks for an update, since a newer version of the app may be able to open the database.
        void startUpdates(new BehaviorSubject(null));
      },
    );
  }, [opening]);

  if (failure) return <OpeningFailure error={failure.error} />;
  return (
    <ErrorBoundary>
      <FaceContext.Provider value={face}>
        <EngineContext.Provider value={gemba}>
          <PairedApp gemba={gemba} face={face} View={View} />
          {updates && <updates.UpdateOffer />}
          <ToastRegion />
        </EngineContext.Provider>
      </FaceContext.Provider>
    </ErrorBoundary>
  );
}

interface PairedAppProps {
  gemba: Gemba;
  face: Face;
  View: FunctionComponent;
}

/** Shows the pairing screen until the first pairing. A device whose token was revoked still sees the view. */
function PairedApp({ gemba, face, View }: PairedAppProps) {
  const path = usePath();
  const status = useValue(gemba.status$);
  const [isPaired, setPaired] = useState(pairedDeviceName(face) !== null);
  // A memoized element: a new status does not render the whole view again.
  const view = useMemo(() => <View />, [View]);
  const isPairPath = path === (face === 'watch' ? '/watch/pair' : '/pair');
  if (status === undefined && (isPairPath || !isPaired)) return <LoadingScreen />;
  if (isPairPath || !(isPaired || status?.last_synced_at))
    return <OnDemandPairScreen onPaired={() => setPaired(true)} />;
  return view;
}

type PairScreenModule = typeof import('./pairing/pair-screen.tsx');

/** Loads the screen when it is needed, since a device pairs once. */
function OnDemandPairScreen({ onPaired }: { onPaired(): void }) {
  const [loaded, setLoaded] = useState<PairScreenModule>();
  useEffect(() => {
    import('./pairing/pair-screen.tsx').then(setLoaded, (error: unknown) =>
      // Throws during the next render, so that the error boundary catches the error.
      setLoaded(() => {
        throw error;
      }),
    );
  }, []);
  return loaded ? <loaded.PairScreen onPaired={onPaired} /> : <LoadingScreen />;
}

/** CSS shows the text only after a delay, since the engine usually opens faster than a person reads. */
function LoadingScreen() {
  return (
    <main class="opening">
      <p role="status">{texts.opening}</p>
    </main>
  );
}
