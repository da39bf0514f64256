/** The account of the first sync: Gemba on SQLite is filled first, and the peers get the documents that it has then. */
import { gembaName } from '../devices/all.ts';
import type { RunningGemba } from '../devices/gemba.ts';
import type { AccountSize, Documents } from '../work.ts';
import type { LinedContender } from './lines.ts';

export const accountSize = (smoke: boolean): AccountSize =>
  smoke ? { maps: 2, runsPerMap: 10 } : { maps: 200, runsPerMap: 50 };

export interface FilledSpaces {
  documents: Documents;
  /** The space of each contender by its name. */
  spaces: Map<string, string>;
}

/** Fills a space of each contender, one after the other. */
export async function fillAll(lined: Map<string, LinedContender>, size: AccountSize): Promise<FilledSpaces> {
  const source = lined.get(gembaName)?.running as RunningGemba;
  const { space, documents } = await source.filledAccount(size);
  const spaces = new Map([[gembaName, space]]);
  for (const [name, { running }] of lined) {
    if (name !== gembaName) spaces.set(name, await running.filledSpace(documents));
  }
  return { documents, spaces };
}
