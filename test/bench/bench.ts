/**
 * `npm run bench [-- --smoke] [name...] [--only part,...]`: reports speed as ratios, since absolute figures are those of one machine on
 * one day. Each table states its baseline and `median (min..max)` over rounds in which the variants took turns.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postgresMissing, startPostgres, type TestPostgres } from '../postgres.ts';
import { measureApp } from './browser/app.ts';
import { measureDeviceLines } from './device-lines.ts';
import { measureEvents } from './events.ts';
import { measureOpening } from './browser/opening.ts';
import { measurePeers } from './peers/measure-peers.ts';
import { measurePhotos } from './browser/photos.ts';
import { measurePull } from './pull.ts';
import { measurePush } from './push.ts';
import { measureRoundTrips } from './round-trips.ts';
import { measureSecondCopy } from './browser/journal.ts';
import type { Setting } from './setting.ts';
import { measurePackageStart } from './server/package-start.ts';
import { measureReads } from './server/reads.ts';
import { measureStarts } from './server/start.ts';
import { measureScoped } from './scoped/scoped.ts';
import { measureSiege } from './siege/siege.ts';
import { printTable, type FigureTable } from './table.ts';
import { measureStorages } from './storages.ts';
import { measureStreams } from './server/streams.ts';
import { measureTaps } from './browser/taps.ts';
import { measureTransact } from './transact.ts';

const measurements: Record<string, (setting: Setting) => Promise<FigureTable | FigureTable[]>> = {
  push: measurePush,
  pull: measurePull,
  transact: measureTransact,
  'round-trips': measureRoundTrips,
  'device-lines': measureDeviceLines,
  storages: measureStorages,
  reads: measureReads,
  start: measureStarts,
  'package-start': measurePackageStart,
  streams: measureStreams,
  events: measureEvents,
  siege: measureSiege,
  taps: measureTaps,
  'second-copy': measureSecondCopy,
  photos: measurePhotos,
  opening: measureOpening,
  app: measureApp,
  scoped: (setting) => measureScoped(setting, values.only?.split(',') ?? []),
  peers: (setting) =>
    measurePeers(setting, { report: values.report, ...(values.only ? { only: values.only.split(',') } : {}) }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    report: { type: 'boolean', default: false },
  },
});
/**
 * Measured only where they are named, since they take over 15 minutes, or half a minute and more of a smoke run; the peers have
 * packages of their own, too.
 */
const onlyNamed = new Set(
  values.smoke
    ? ['peers', 'app', 'scoped', 'siege', 'taps', 'second-copy', 'photos', 'package-start']
    : ['peers', 'scoped'],
);
const ownNames = Object.keys(measurements).filter((name) => !onlyNamed.has(name));

const unknownNames = positionals.filter((name) => !(name in measurements));
if (unknownNames.length > 0) {
  console.error(`bench: there is no ${unknownNames.join(', ')}; there are ${Object.keys(measurements).join(', ')}`);
  process.exitCode = 1;
} else {
  await bench(positionals.length > 0 ? positionals : ownNames, values.smoke);
}

async function bench(names: string[], smoke: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-bench-'));
  const postgres = await startPostgres();
  console.log(
    `Node ${process.version}, ${cpus().length} CPUs${smoke ? '. A smoke run: its figures mean nothing' : ''}.`,
  );
  if (!postgres) console.log(`Without PostgreSQL: ${postgresMissing}.`);
  try {
    for (const name of names) {
      const tables = await measurements[name]!(settingOf({ smoke, folder, postgres }));
      for (const table of [tables].flat()) printTable(table);
    }
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
  // Peers leave timers behind that would keep the process alive.
  process.exit();
}

interface SettingParts {
  smoke: boolean;
  folder: string;
  postgres: TestPostgres | undefined;
}

function settingOf({ smoke, folder, postgres }: SettingParts): Setting {
  const dataDir = (name: string) => mkdtempSync(join(folder, `${name}-`));
  return { smoke, dataDir, ...(postgres ? { postgresUrl: () => postgres.createDatabase() } : {}) };
}
