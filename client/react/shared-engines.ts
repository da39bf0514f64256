/**
 * The engines that components of this page have opened: one of a name, shared by its holders and closed after the last.
 */
import type { Gemba, GembaOptions } from '../client.ts';
import { openGemba } from '../entries/gemba.ts';

export interface SharedEngine {
  readonly key: string;
  readonly gemba: Promise<Gemba>;
}

interface HeldEngine extends SharedEngine {
  holders: number;
  closed?: Promise<void>;
}

const byName = new Map<string, HeldEngine>();

/** Options of the same key name the same engine. The other options count when the engine opens. */
export const engineKey = ({ name, url, token, kind }: GembaOptions): string => JSON.stringify([name, url, token, kind]);

/** Opens the engine, or shares the open one. Waits for the end of an engine of that name that nobody holds any more. */
export function acquireEngine(options: GembaOptions): SharedEngine {
  const { name } = options;
  const key = engineKey(options);
  const known = byName.get(name);
  if (known?.key === key && !known.closed) {
    known.holders += 1;
    return known;
  }
  // An engine that somebody holds may have work under way, so nothing closes it.
  if (known && known.holders > 0) return { key, gemba: Promise.reject(new Error(heldElsewhere)) };
  const gemba = known ? close(known).then(() => openGemba(options)) : openGemba(options);
  const engine: HeldEngine = { key, gemba, holders: 1 };
  byName.set(name, engine);
  // The next holder opens anew what failed to open.
  gemba.catch(() => forget(name, engine));
  return engine;
}

const heldElsewhere = 'Another component holds an engine of this name that has another url, token or kind.';

/** Closes the engine in the next task, unless somebody acquires it before, as StrictMode does. */
export function releaseEngine({ name }: GembaOptions, engine: SharedEngine): void {
  const held = byName.get(name);
  if (held !== engine) return;
  held.holders -= 1;
  setTimeout(() => {
    if (held.holders === 0) void close(held).then(() => forget(name, held));
  });
}

const close = (engine: HeldEngine): Promise<void> =>
  (engine.closed ??= engine.gemba.then(
    (gemba) => gemba.close(),
    () => undefined,
  ));

function forget(name: string, engine: HeldEngine): void {
  if (byName.get(name) === engine) byName.delete(name);
}
