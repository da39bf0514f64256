/**
 * `npm run demo -- [FILE] [--data DIR] [--map NAME]`: a field day in a minute. An offline device makes the recordings
 * of the file (one JSON object a line); then it goes online and syncs, and the demo reads the server's runs over REST
 * and compares them with the file.
 *
 * All recordings of a file are runs of one map, the one named NAME. The map's id follows from its name, because an
 * offline device cannot ask whether the server has the map. The first run on a data folder makes the map. In later runs the
 * server refuses `create_map` with `id_taken`, which proves that the map exists. The recordings find the map either way,
 * and recordings that the server has already change nothing.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { v5 as uuidOfName } from 'uuid';
import { openDevice, recordLines, syncDevice } from './device.ts';
import { recordingProblems } from './recording-problems.ts';
import { readServerRuns } from './server-runs.ts';
import { readLines, displayPath } from './lines.ts';
import { startServer } from './local-server.ts';
import { Network } from './network.ts';
import { closeProgress } from './progress.ts';
import { printServerRuns, printRecorded } from './report.ts';

const sample = join(import.meta.dirname, '../fixtures/receipt-sample.ndjson');
/** The namespace of the map ids, made once at random. */
const mapNamespace = '3f0d1e52-8a0c-4c39-9b6e-5d1b1c0c7a41';
const usage = 'Usage: npm run demo -- [FILE] [--data DIR] [--map NAME]';

interface DemoPlan {
  file: string;
  dataDir: string;
  mapName: string;
}

/** Returns the exit code. */
async function demo({ file, dataDir, mapName }: DemoPlan): Promise<number> {
  const lines = await readLines(file);
  const server = await startServer(dataDir);
  const network = new Network();
  const device = await openDevice({ server, network });
  try {
    console.log(`The device has no network. It records ${displayPath(file)}.`);
    const mapId = uuidOfName(mapName, mapNamespace);
    const recorded = await recordLines(device, { file, lines, map: { id: mapId, name: mapName } });
    printRecorded(recorded);
    if (recorded.recordings.length === 0) throw new Error(`${file} has no line that is a recording`);

    console.log(`The device gets a network. The server is at ${server.url}, its data in ${dataDir}.`);
    network.available = true;
    const refusals = await syncDevice(device);

    const maps = await readServerRuns(server);
    printServerRuns(maps);
    const found = recordingProblems({ recordings: recorded.recordings, maps, refusals });
    for (const doubt of found) console.error(doubt);
    if (found.length === 0)
      console.log(`Each of the ${recorded.recordings.length} recordings is there, once and whole.`);
    return found.length === 0 ? 0 : 1;
  } finally {
    await device.close();
    await server.close();
  }
}

/** undefined if only the usage was asked for. */
function parsePlan(args: string[]): DemoPlan | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: './data/demo' },
      map: { type: 'string', default: 'Receipt phase' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return undefined;
  if (positionals.length > 1) throw new Error(`one file at a time. ${usage}`);
  return { file: positionals[0] ?? sample, dataDir: values.data, mapName: values.map };
}

/** The server's data is durable, so ending the process at once loses nothing. */
function endAtSignals(): void {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  for (const [signal, exitCode] of signals) {
    process.once(signal, () => {
      closeProgress();
      console.error('Stopped. What the server had taken is kept; the same command takes it up again.');
      process.exit(exitCode);
    });
  }
}

endAtSignals();
try {
  const plan = parsePlan(process.argv.slice(2));
  if (plan) process.exitCode = await demo(plan);
  else console.log(usage);
} catch (error) {
  closeProgress();
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
