/** Reads the facts about an account that an import needs: its maps, and the file's recordings that it already has. */
import { mapsOfFreePlanMax, pageLimitMax } from '../../shared/schema/limits.ts';
import { contentText, type EarlierRecording } from '../../shared/import/plan-import.ts';
import type { AccountMap, ImportAccount } from '../../shared/import/find-map.ts';
import type { Caller } from '../core/caller.ts';
import { sha256 } from '../core/hash.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import type { UnitOfWork } from '../mutate/unit.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import type { Store } from '../store/store.ts';

export async function loadImportAccount(store: Store, accountId: string): Promise<ImportAccount> {
  const account = await store.account(accountId);
  const maps = [...(await listMaps(store, accountId, false)), ...(await listMaps(store, accountId, true))];
  const moreMapsMax = account?.plan === 'free' ? Math.max(0, mapsOfFreePlanMax - account.live_maps) : undefined;
  return { maps, moreMapsMax };
}

async function listMaps(store: Store, accountId: string, deleted: boolean): Promise<AccountMap[]> {
  const maps: AccountMap[] = [];
  for (let next: number | null | undefined; next !== null;) {
    const position = next === undefined ? {} : { before: next };
    const page = await store.maps(accountId, { deleted, limit: pageLimitMax, ...position });
    maps.push(...page.rows);
    next = page.next;
  }
  return maps;
}

/** Limits the recording sessions of one unit of work, since the run of a session may take megabytes. */
const sessionsPerUnitMax = 20;

/** Finds the recording sessions that the account has already, with hashes of their runs' steps. */
export async function findEarlierRecordings(
  queue: AccountQueue,
  caller: Caller,
  sessionIds: string[],
): Promise<{ ok: true; earlier: Map<string, EarlierRecording> } | RefusedRequest> {
  const earlier = new Map<string, EarlierRecording>();
  for (let from = 0; from < sessionIds.length; from += sessionsPerUnitMax) {
    const found = await queue.write(caller, earlierRecordingsUnit(sessionIds.slice(from, from + sessionsPerUnitMax)));
    if (!Array.isArray(found)) return found;
    for (const [sessionId, recording] of found) earlier.set(sessionId, recording);
  }
  return { ok: true, earlier };
}

function earlierRecordingsUnit(recordingSessionIds: string[]): UnitOfWork<[string, EarlierRecording][]> {
  return {
    readSet: { ...emptyReadSet(), recordingSessionIds },
    run: (set) =>
      recordingSessionIds.flatMap((sessionId) => {
        const session = set.recordingSession(sessionId);
        if (!session) return [];
        const { map_id } = session;
        const run = set.runWithSteps(session.run_id);
        const versions = run && [run.steps, ...(run.recorded_steps ? [run.recorded_steps] : [])];
        // Keeps only hashes, since the steps of many runs would take much memory.
        const hashes = versions?.map((steps) => sha256(contentText(map_id, steps)));
        const hasContent = (text: string) => hashes?.includes(sha256(text)) ?? false;
        const starts = [run?.started_at, run?.device_started_at].filter((start) => typeof start === 'string');
        return [[sessionId, { map_id, isDeleted: !hashes, starts, hasContent }]];
      }),
  };
}
