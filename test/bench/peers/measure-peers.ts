/**
 * `npm run bench -- peers [--only drain,bytes]`: Gemba beside its peers and beside the limits of the machine. A run adds
 * its parts to `docs/benchmarks.json` and makes the report from it; a smoke run writes nothing and installs nothing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { installPeers, peersAreInstalled, peerVersions } from './install.ts';
import type { Benchmarks, Origin, Work } from './report/figures.ts';
import { readBenchmarks, renderFiles, writeReport } from './report/report-files.ts';
import { measureBytes } from './works/bytes.ts';
import { measureChromium } from './works/chromium.ts';
import { measureDrain } from './works/drain.ts';
import { measureFirstSync } from './works/first-sync.ts';
import { measurePushes } from './works/pushes.ts';
import { measurePeerReads } from './works/reads.ts';
import { measurePeerStarts } from './works/starts.ts';
import { measureStreams } from './works/streams.ts';
import type { PeersSetting } from './works/work-setting.ts';

const root = join(import.meta.dirname, '../../..');

const measurements: Record<string, (setting: PeersSetting) => Promise<Work[]>> = {
  drain: measureDrain,
  'first-sync': measureFirstSync,
  chromium: measureChromium,
  bytes: measureBytes,
  reads: measurePeerReads,
  pushes: measurePushes,
  starts: measurePeerStarts,
  streams: measureStreams,
};

export interface PeersOptions {
  /** The parts to measure. Default: all. */
  only?: string[];
  /** Makes the report from the figures that are there, and measures nothing. */
  report: boolean;
}

export async function measurePeers(setting: Setting, { only, report }: PeersOptions): Promise<FigureTable[]> {
  if (report) {
    await renderFiles(root, await readBenchmarks(root));
    return [];
  }
  endLateRun();
  if (!setting.smoke) installPeers();
  // Several libraries check more in development, and Replicache freezes all that it holds.
  process.env['NODE_ENV'] = 'production';
  const given = { ...setting, withPeers: peersAreInstalled() };
  const order = Object.keys(measurements);
  const tables: FigureTable[] = [];
  for (const name of only ?? order) {
    const measure = measurements[name];
    if (!measure) throw new Error(`there is no part ${name}; there are ${order.join(', ')}`);
    const works = await measure(given);
    tables.push(...works.map(tableOf));
    // Each part is written at once, so that a later failure loses none.
    const measured: Benchmarks = { versions: versions(), parts: { [name]: { origin: origin(), works } } };
    if (!setting.smoke) await writeReport(root, measured, order);
  }
  return tables;
}

/** A peer that never reports the end of its sync does not hold up the run for ever. */
function endLateRun(): void {
  const timer = setTimeout(() => {
    console.error('bench: the peers took over 20 minutes; the parts that were measured are in docs/benchmarks.json');
    process.exit(1);
  }, runMsMax);
  timer.unref();
}

const runMsMax = 20 * 60_000;

function versions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return { ...peerVersions(), rxdb: dependencies['rxdb'] ?? '' };
}

function origin(): Origin {
  const revision = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  return { date: new Date().toISOString().slice(0, 10), revision, node: process.version, cpus: cpus().length };
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
