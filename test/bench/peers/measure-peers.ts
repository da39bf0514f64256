/**
 * `npm run bench -- peers [--only drain,reads]`: Gemba beside its peers and beside the limits of the machine. A whole run
 * writes `docs/benchmarks.json`, the report and its pictures; a smoke run writes nothing and installs nothing.
 */
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { installPeers, peersAreInstalled } from './install.ts';
import type { Work } from './report/figures.ts';
import { measureBytes } from './works/bytes.ts';
import { measureDrain } from './works/drain.ts';
import { measureFirstSync } from './works/first-sync.ts';
import type { PeersSetting } from './works/work-setting.ts';

export const parts: Record<string, (setting: PeersSetting) => Promise<Work[]>> = {
  drain: measureDrain,
  'first-sync': measureFirstSync,
  bytes: measureBytes,
};

export async function measurePeers(setting: Setting, only = Object.keys(parts)): Promise<FigureTable[]> {
  if (!setting.smoke) installPeers();
  // Several libraries check more in development, and Replicache freezes all that it holds.
  process.env['NODE_ENV'] = 'production';
  const given = { ...setting, withPeers: peersAreInstalled() };
  const tables: FigureTable[] = [];
  for (const part of only) {
    const works = await parts[part]!(given);
    tables.push(...works.map(tableOf));
  }
  return tables;
}

function tableOf({ title, about, unit, figures }: Work): FigureTable {
  return {
    title,
    about,
    head: ['', unit, 'to Gemba', 'durable'],
    rows: figures.map(({ name, durability, toGemba, ...spread }) => [
      name,
      spreadText(spread),
      toGemba ? spreadText(toGemba) : '',
      durability,
    ]),
  };
}
