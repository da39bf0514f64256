/**
 * The root component of all faces (phone, watch, desk). A device that was never paired sees the pairing screen first.
 */
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Gemba } from '../client.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ToastRegion } from './ui/toast.tsx';
import { createDeferredEngine } from './shell/deferred-engine.ts';
import { EngineContext, FaceContext, useValue, type EngineOpening, type Face } from './shell/engine.tsx';
import { OpeningFailure } from './opening-failure.tsx';
import { readPairedDeviceName } from './pairing/paired-name.ts';
import { usePath } from './shell/router.tsx';
import { timeNotation$ } from './shell/time-notation.ts';
import { texts } from './text/texts.ts';

/** The code of updates and of Background Sync. It loads once the engine is open, or has failed to open. */
type UpdateOfferModule = typeof import('./update-offer.tsx');

interface AppProps {
  face: Face;
  View: FunctionComponent;
  opening: EngineOpening;
}

export function App({ face, View, opening }: AppProps) {
  const gemba = useMemo(() => createDeferredEngine(opening, face), [opening, face]);
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [updates, setUpdates] = useState<UpdateOfferModule>();
  useLayoutEffect(() => {
    const startUpdates = async (recording$: Observable<unknown>) => {
      const loaded = await import('./update-offer.tsx');
      loaded.startUpdates(recording$);
      setUpdates(loaded);
      return loaded;
    };
    opening.opened.then(
      (opened) => {
        startUpdates(opened.recording$)
          .then(({ keepEarlierStages, startBackgroundSync }) => {
            keepEarlierStages(opened, face);
            startBackgroundSync(opened);
          })
          .catch(reportError);
      },
      (error: unknown) => {
        reportError(error);
        setFailure({ error });
        // Look for an update, since a newer version of the app may be able to open the database. `null` means that
        // nobody records.
        startUpdates(new BehaviorSubject(null)).catch(reportError);
      },
    );
  }, [opening]);

  if (failure) return <OpeningFailure error={failure.error} />;
  return (
    <ErrorBoundary>
      <FaceContext.Provider value={face}>
        <EngineContext.Provider value={gemba}>
          <PairingGate gemba={gemba} face={face} View={View} />
          {updates && <updates.UpdateOffer />}
          <ToastRegion />
        </EngineContext.Provider>
      </FaceContext.Provider>
    </ErrorBoundary>
  );
}

interface PairingGateProps {
  gemba: Gemba;
  face: Face;
  View: FunctionComponent;
}

/**
 * Shows the pairing screen until the device is paired or a person skips pairing, and again if the browser lost the
 * database with the token. A device that has synced keeps `View` after its token was revoked.
 */
function PairingGate({ gemba, face, View }: PairingGateProps) {
  const path = usePath();
  const status = useValue(gemba.status$);
  const [isPaired] = useState(readPairedDeviceName(face) !== null);
  const [isPairingLeft, setPairingLeft] = useState(false);
  const notation = useValue(timeNotation$) ?? timeNotation$.value;
  // Memoize the element, so that a new status does not render the whole view again. A new time notation does render it.
  const view = useMemo(() => <View />, [View, notation]);
  const isPairPath = path === (face === 'watch' ? '/watch/pair' : '/pair');
  if (status === undefined && (isPairPath || !isPaired)) return <LoadingScreen />;
  const isShown = isPairingLeft || status?.last_synced_at || (isPaired && status?.error?.code !== 'unauthorized');
  if (isPairPath || !isShown) return <LazyPairScreen onLeave={() => setPairingLeft(true)} />;
  return view;
}

type PairScreenModule = typeof import('./pairing/pair-screen.tsx');

async function loadPairScreen(): Promise<PairScreenModule> {
  const module = await import('./pairing/pair-screen.tsx');
  await module.loadPairTexts();
  return module;
}

/**
 * Loads the code of the pairing screen only when the screen is shown: a person needs the network for pairing anyway.
 */
function LazyPairScreen({ onLeave }: { onLeave(): void }) {
  const [loaded, setLoaded] = useState<PairScreenModule>();
  useEffect(() => {
    loadPairScreen().then(setLoaded, (error: unknown) =>
      // Throws during the next render, so that the error boundary catches the error.
      setLoaded(() => {
        throw error;
      }),
    );
  }, []);
  return loaded ? <loaded.PairScreen onLeave={onLeave} /> : <LoadingScreen />;
}

/** CSS shows the text only after a delay, since the engine usually opens faster than a person reads. */
function LoadingScreen() {
  return (
    <main class="opening">
      <p role="status">{texts.opening}</p>
    </main>
  );
}
