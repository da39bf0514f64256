import { createContext, createElement, useContext, type ReactElement, type ReactNode } from 'react';
import type { Gemba } from '../client.ts';

const GembaContext = createContext<Gemba | undefined>(undefined);

export interface GembaProviderProps {
  /** The open engine; undefined while it opens, and on a server. */
  gemba: Gemba | undefined;
  /** Replaces the children while `gemba` is undefined. Default: nothing. */
  fallback?: ReactNode;
  children?: ReactNode;
}

/** Gives its children the engine. The children render only when there is an engine, so each hook in them has one. */
export function GembaProvider({ gemba, fallback = null, children }: GembaProviderProps): ReactElement {
  if (gemba && 'then' in gemba) throw new Error(promiseMessage);
  return createElement(GembaContext.Provider, { value: gemba }, gemba ? children : fallback);
}

const promiseMessage =
  'GembaProvider got a promise. Give it the engine: await openGemba(options) before rendering, or use useOpenedGemba(options).';

/** Returns the engine of the nearest `GembaProvider` above, for its verbs. Throws if there is none. */
export function useGemba(): Gemba {
  const gemba = useContext(GembaContext);
  if (!gemba) throw new Error('A hook of gemba/react needs a <GembaProvider> with an opened engine above it.');
  return gemba;
}
