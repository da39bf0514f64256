/** Shows the face: the views of the phone or of the watch, or pairing before anything else. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';
import type { Gemba } from '../client.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ToastRegion } from './ui/toast.tsx';
import { early } from './shell/early.ts';
import { EngineContext, FaceContext, useValue, type Face, type Opening } from './shell/engine.tsx';
import { NotOpened } from './not-opened.tsx';
import { PairScreen } from './pairing/pair-screen.tsx';
import { pairedAs } from './pairing/paired.ts';
import { usePath } from './shell/router.tsx';
import { startWaking } from './shell/waking.ts';
import { texts } from './text/texts.ts';
import { UpdateOffer } from './update-offer.tsx';
import { startUpdates } from './shell/updates.ts';

interface AppProps {
  face: Face;
  View: FunctionComponent;
  opening: Opening;
}

export function App({ face, View, opening }: AppProps) {
  const gemba = useMemo(() => early(opening, face), [opening, face]);
  const [failure, setFailure] = useState<{ error: unknown }>();
  useLayoutEffect(() => {
    opening.opened.then(
      (opened) => {
        startUpdates(opened.recording$);
        startWaking(opened);
      },
      (error: unknown) => {
        reportError(error);
        setFailure({ error });
        // The next version may be able to open it.
        startUpdates(new BehaviorSubject(null));
      },
    );
  }, [opening]);

  if (failure) return <NotOpened error={failure.error} />;
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
  if (status === undefined && (asksToPair || !paired)) return <Opening />;
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
