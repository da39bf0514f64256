/** The demo's device: the real engine, with storage in memory. */
import { randomUUID } from 'node:crypto';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { GembaError, openGemba, type Attention, type Gemba } from '../../client/client.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import { displayPath, type Line } from './lines.ts';
import type { LocalServer } from './local-server.ts';
import type { Network } from './network.ts';
import { parseLine, Sessions, type SessionRecording } from './parse-line.ts';
import { openProgress } from './progress.ts';

export function openDevice({ server, network }: { server: LocalServer; network: Network }): Promise<Gemba> {
  return openGemba({
    name: `demo-${randomUUID()}`,
    url: server.url,
    token: server.apiKey,
    storage: getRxStorageMemory() as AnyRxStorage,
    fetch: network.fetch,
  });
}

export interface DemoRecording {
  /** The recordings, each session once. */
  recordings: SessionRecording[];
  /** Counts lines without a recording, and lines that repeat an earlier session. */
  brokenLines: number;
}

interface RecordingSource {
  file: string;
  lines: Line[];
  map: { id: string; name: string };
}

/** Makes the recordings; reports each unusable line on stderr and goes on. */
export async function recordLines(gemba: Gemba, { file, lines, map }: RecordingSource): Promise<DemoRecording> {
  const recorded: DemoRecording = { recordings: [], brokenLines: 0 };
  const progress = openProgress('Recording', lines.length);
  const sessions = new Sessions();
  await gemba.createMap(map);
  for (const [index, line] of lines.entries()) {
    const made = await recordLine({ gemba, line, mapId: map.id, sessions });
    if ('broken' in made) {
      recorded.brokenLines += 1;
      progress.tell(`${displayPath(file)}:${line.number}: ${made.broken}`);
    } else {
      recorded.recordings.push(made.recording);
    }
    progress.at(index + 1, lines.length);
  }
  progress.end();
  return recorded;
}

interface LineWork {
  gemba: Gemba;
  line: Line;
  mapId: string;
  sessions: Sessions;
}

async function recordLine({ gemba, line, mapId, sessions }: LineWork): Promise<ReturnType<typeof parseLine>> {
  const parsed = parseLine(line.text);
  if ('broken' in parsed) return parsed;
  const { recording } = parsed;
  const repeated = sessions.repeated(recording);
  if (repeated !== undefined) return { broken: repeated };
  try {
    await gemba.importRecording({ mapId, recording });
  } catch (error) {
    if (error instanceof GembaError) return { broken: error.message };
    throw error;
  }
  sessions.add(recording, line.number);
  return parsed;
}

/** Resolves with the refused mutations once nothing is pending. */
export async function syncDevice(gemba: Gemba): Promise<Attention[]> {
  const { pending } = await firstValueFrom(gemba.status$);
  const progress = openProgress('Syncing', pending);
  const watching = gemba.status$.subscribe(({ progress: reached }) => {
    if (reached && reached.total !== null) progress.at(reached.done, reached.total);
  });
  await gemba.sync();
  await untilSettled(gemba);
  watching.unsubscribe();
  // The last mutations settle together at the end of the round, so set the progress to its end.
  progress.at(pending, pending);
  progress.end();
  const attention = await firstValueFrom(gemba.attention$);
  const mapWasThere = attention.find(({ name, error }) => name === 'create_map' && error.code === 'id_taken');
  if (mapWasThere) await gemba.resolve(mapWasThere.seq, 'discard');
  return attention.filter((one) => one !== mapWasThere);
}

/** Waits until nothing is pending. Rejects if the server refuses the token, since only then the engine stops retrying. */
async function untilSettled(gemba: Gemba): Promise<void> {
  const last = await firstValueFrom(
    gemba.status$.pipe(filter(({ phase, pending }) => phase === 'blocked' || (phase === 'idle' && pending === 0))),
  );
  if (last.phase === 'blocked')
    throw new Error(`the server refuses the device: ${last.error?.detail ?? 'no reason given'}`);
}
