/** Decides the map and the recording session of each recording in a file. */
import type { ErrorList } from './error-list.ts';
import type { FileRecording, ImportChecks } from './file-recording.ts';
import { mapFinder, type FoundMap, type ImportAccount } from './find-map.ts';
import { checksPerRecording, type YieldIfDue } from './time-slices.ts';
import { sessionIdOf, type Sha256 } from './session-id.ts';

export interface PlacedRecording {
  recording: FileRecording;
  map: FoundMap;
  sessionId: string;
}

interface PlaceOptions {
  account: ImportAccount;
  createMaps: boolean;
  checks: ImportChecks;
  sha256: Sha256;
  yieldIfDue: YieldIfDue;
}

/** Adds an error for each map that cannot be found or created, and leaves out the recordings of that map. */
export async function placeRecordings(
  { recordings, errors }: { recordings: FileRecording[]; errors: ErrorList },
  { yieldIfDue, ...options }: PlaceOptions,
): Promise<PlacedRecording[]> {
  const findMap = mapFinder({ ...options, errors });
  const placed: PlacedRecording[] = [];
  const total = recordings.length;
  for (const [index, recording] of recordings.entries()) {
    const map = await findMap(recording);
    if (map) placed.push({ recording, map, sessionId: await sessionIdOf(recording, options.sha256) });
    const turn = yieldIfDue({ phase: 'checking', done: total + index + 1, total: checksPerRecording * total });
    if (turn) await turn;
  }
  return placed;
}
