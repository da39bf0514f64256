/** Loads the screen of carrying when a person opens it. */
import { useEffect, useState } from 'preact/hooks';
import { ScreenFrame } from '../../ui/screen.tsx';

type CarryModule = typeof import('./carry.tsx');

export function OnDemandCarryScreen() {
  const [loaded, setLoaded] = useState<CarryModule>();
  useEffect(() => {
    loadCarry().then(setLoaded, (error: unknown) =>
      // Throws during the next render, so that the error boundary catches the error.
      setLoaded(() => {
        throw error;
      }),
    );
  }, []);
  return loaded ? <loaded.CarryScreen /> : <ScreenFrame />;
}

async function loadCarry(): Promise<CarryModule> {
  const [carry, { loadRelayTexts }] = await Promise.all([import('./carry.tsx'), import('../../text/relay/phone-relay.ts')]);
  await loadRelayTexts();
  return carry;
}
