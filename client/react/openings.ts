/** The engines that components of this page have opened: one of a name, shared by its holders and closed after the last. */
import type { Gemba, GembaOptions } from '../client.ts';
import { openGemba } from '../entries/gemba.ts';

export interface Opening {
  readonly key: string;
  readonly gemba: Promise<Gemba>;
}

interface HeldOpening extends Opening {
  holders: number;
  closed?: Promise<void>;
}

const byName = new Map<string, HeldOpening>();

/** Options of the same key name the same engine. The other options count when the engine opens. */
export const openingKey = ({ name, url, token, kind }: GembaOptions): string =>
  JSON.stringify([name, url, token, kind]);

/** Opens the engine, or shares the open one. Waits for the end of an engine of that name that nobody holds any more. */
export function acquire(options: GembaOptions): Opening {
  const { name } = options;
  const key = openingKey(options);
  const known = byName.get(name);
  if (known?.key === key && !known.closed) {
    known.holders += 1;
    return known;
  }
  // An engine that somebody holds may have work under way, so nothing closes it.
  if (known && known.holders > 0) return { key, gemba: Promise.reject(new Error(heldElsewhere)) };
  const gemba = known ? close(known).then(() => openGemba(options)) : openGemba(options);
  const opening: HeldOpening = { key, gemba, holders: 1 };
  byName.set(name, opening);
  // The next holder opens anew what failed to open.
  gemba.catch(() => forget(name, opening));
  return opening;
}

const heldElsewhere = 'Another component holds an engine of this name that has another url, token or kind.';

/** Closes the engine in the next task, unless somebody acquires it before, as StrictMode does. */
export function release({ name }: GembaOptions, opening: Opening): void {
  const held = byName.get(name);
  if (held !== opening) return;
  held.holders -= 1;
  setTimeout(() => {
    if (held.holders === 0) void close(held).then(() => forget(name, held));
  });
}

const close = (opening: HeldOpening): Promise<void> =>
  (opening.closed ??= opening.gemba.then(
    (gemba) => gemba.close(),
    () => undefined,
  ));

function forget(name: string, opening: HeldOpening): void {
  if (byName.get(name) === opening) byName.delete(name);
}
