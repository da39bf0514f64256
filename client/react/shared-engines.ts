/**
 * Shares engines between the components of a page: one engine for each name, closed when the last component releases
 * it.
 */
import type { Gemba, GembaOptions } from '../client.ts';
import { openGemba } from '../entries/gemba.ts';

export interface SharedEngine {
  readonly key: string;
  readonly gemba: Promise<Gemba>;
}

interface HeldEngine extends SharedEngine {
  /** Counts the components that hold the engine. */
  holders: number;
  closed?: Promise<void>;
}

const enginesByName = new Map<string, HeldEngine>();

/**
 * Returns the key of an engine. Components whose options have the same key share an engine. The other options take
 * effect only when the engine opens.
 */
export const engineKeyOf = ({ name, url, token, kind }: GembaOptions): string =>
  JSON.stringify([name, url, token, kind]);

/** Opens the engine, or shares the open one. If an engine of this name is no longer held, waits until it has closed. */
export function acquireEngine(options: GembaOptions): SharedEngine {
  const { name } = options;
  const key = engineKeyOf(options);
  const known = enginesByName.get(name);
  if (known?.key === key && !known.closed) {
    known.holders += 1;
    return known;
  }
  // Rejects, and does not close the engine that another component holds, since it may have work under way.
  if (known && known.holders > 0) return { key, gemba: Promise.reject(new Error(heldElsewhereMessage)) };
  const gemba = known ? closeEngine(known).then(() => openGemba(options)) : openGemba(options);
  const engine: HeldEngine = { key, gemba, holders: 1 };
  enginesByName.set(name, engine);
  // Forgets an engine that failed to open, so that the next holder opens it again.
  gemba.catch(() => forgetEngine(name, engine));
  return engine;
}

const heldElsewhereMessage = 'Another component holds an engine of this name that has another url, token or kind.';

/**
 * Closes the engine in the next task if no component holds it then. StrictMode releases and acquires it in one task.
 */
export function releaseEngine({ name }: GembaOptions, engine: SharedEngine): void {
  const held = enginesByName.get(name);
  if (held !== engine) return;
  held.holders -= 1;
  setTimeout(() => {
    if (held.holders === 0) void closeEngine(held).then(() => forgetEngine(name, held));
  });
}

const closeEngine = (engine: HeldEngine): Promise<void> =>
  (engine.closed ??= engine.gemba.then(
    (gemba) => gemba.close(),
    () => undefined,
  ));

function forgetEngine(name: string, engine: HeldEngine): void {
  if (enginesByName.get(name) === engine) enginesByName.delete(name);
}
