/** Loads the screens of carry-screens.tsx when a person opens one of them. */
import { useEffect, useState } from 'preact/hooks';
import { ScreenFrame } from '../../ui/screen.tsx';
import type { CarryScreenName } from './carry-screens.tsx';

type CarryModule = typeof import('./carry-screens.tsx');

export function OnDemandCarryScreen({ name }: { name: CarryScreenName }) {
  const [loaded, setLoaded] = useState<CarryModule>();
  useEffect(() => {
    loadCarry().then(setLoaded, (error: unknown) =>
      // Throws during the next render, so that the error boundary catches the error.
      setLoaded(() => {
        throw error;
      }),
    );
  }, []);
  return loaded ? <loaded.CarryScreenOf name={name} /> : <ScreenFrame />;
}

async function loadCarry(): Promise<CarryModule> {
  const [carry, { loadRelayTexts }] = await Promise.all([
    import('./carry-screens.tsx'),
    import('../../text/relay/phone-relay.ts'),
  ]);
  await loadRelayTexts();
  return carry;
}
