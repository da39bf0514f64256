import { useEffect, useState } from 'react';
import type { Gemba, GembaOptions, RunScope, ScopedGemba } from '../client.ts';
import { acquireEngine, engineKeyOf, releaseEngine } from './shared-engines.ts';

type Outcome = { key: string; gemba: Gemba } | { key: string; error: unknown };

/**
 * Opens an engine while the component is mounted, and returns it once open. A new `name`, `url`, `token` or `kind`
 * opens another engine; the other options only take effect then. Throws errors of `openGemba` to the error boundary.
 */
export function useOpenedGemba(options: GembaOptions & { scope: RunScope }): ScopedGemba | undefined;
export function useOpenedGemba(options: GembaOptions): Gemba | undefined;
export function useOpenedGemba(options: GembaOptions): Gemba | undefined {
  const key = engineKeyOf(options);
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    let isHeld = true;
    const engine = acquireEngine(options);
    engine.gemba.then(
      (gemba) => isHeld && setOutcome({ key, gemba }),
      (error: unknown) => isHeld && setOutcome({ key, error }),
    );
    return () => {
      isHeld = false;
      releaseEngine(options, engine);
    };
  }, [key]);
  if (outcome?.key !== key) return undefined;
  if ('error' in outcome) throw outcome.error;
  return outcome.gemba;
}
