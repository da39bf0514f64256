/** Reads and writes pairing codes and pairing events. Each change is one statement on one row, so it is atomic. */
import type {
  CountPairingEventOutcome,
  PairingEvent,
  PairingClaim,
  PairingCodeOrigin,
  PairingCodeRow,
  PairingCodeQuery,
} from '../credentials/credentials.ts';
import type { Connections } from './connections.ts';
import { statement, type Statement } from './statement.ts';

const insertPairingCodeStatement = statement({
  text: `
    INSERT INTO pairing_codes (code_hash, account_id, device_kind, expires_at, created_by) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (code_hash) DO NOTHING RETURNING 1`,
});

export async function insertPairingCode(connections: Connections, code: PairingCodeRow): Promise<boolean> {
  const { code_hash, account_id, device_kind, expires_at, created_by } = code;
  const rows = await connections.query(insertPairingCodeStatement, [
    code_hash,
    account_id,
    device_kind,
    expires_at,
    created_by && JSON.stringify(created_by),
  ]);
  return rows.length > 0;
}

const claimableCodeCondition =
  'code_hash = $1 AND device_kind = $3 AND expires_at > $4 AND (device_id IS NULL OR device_id = $2::uuid)';

/** If several devices claim a code at once, the first one sets `device_id`. The condition is then false for the others. */
const claimPairingCodeStatement = statement({
  text: `
    UPDATE pairing_codes SET device_id = $2::uuid
     WHERE ${claimableCodeCondition}
    RETURNING account_id, created_by, expires_at`,
});

const findPairingCodeStatement = statement({
  text: `SELECT account_id, created_by, expires_at FROM pairing_codes WHERE ${claimableCodeCondition}`,
});

export function claimPairingCode(
  connections: Connections,
  claim: PairingClaim,
): Promise<PairingCodeOrigin | undefined> {
  return readCodeOrigin(connections, claimPairingCodeStatement, claim);
}

export function findPairingCode(
  connections: Connections,
  query: PairingCodeQuery,
): Promise<PairingCodeOrigin | undefined> {
  return readCodeOrigin(connections, findPairingCodeStatement, query);
}

async function readCodeOrigin(
  connections: Connections,
  of: Statement,
  query: PairingCodeQuery,
): Promise<PairingCodeOrigin | undefined> {
  const { code_hash, device_id, device_kind, now } = query;
  const values = [code_hash, device_id, device_kind, now];
  const [row] = await connections.query<PairingCodeOrigin>(of, values);
  return row;
}

/**
 * The events inside the window, which begins at $3 (`since`). An event after $6 (`until`, a window's length from now) was
 * counted while a clock was ahead, and is ignored.
 */
const recentEvents = 'ARRAY(SELECT at FROM unnest(failed_at) AS at WHERE at > $3 AND at < $6)';

/** Citus allows a subquery in UPDATE, and none in INSERT ... ON CONFLICT, so the first event has a statement of its own. */
const addPairingEventStatement = statement({
  text: `
    UPDATE pairing_failures SET failed_at = ${recentEvents} || $2::bigint, expires_at = $5
     WHERE subject = $1 AND cardinality(${recentEvents}) < $4
    RETURNING 1`,
});

const insertFirstPairingEventStatement = statement({
  text: `
    INSERT INTO pairing_failures (subject, failed_at, expires_at) VALUES ($1, ARRAY[$2::bigint], $3)
    ON CONFLICT (subject) DO NOTHING RETURNING 1`,
});

const oldestPairingEventStatement = statement({
  text: 'SELECT min(at) AS oldest FROM pairing_failures, unnest(failed_at) AS at WHERE subject = $1 AND at > $2 AND at < $3',
});

export async function countPairingEvent(
  connections: Connections,
  { counter, at, windowMs, eventsMax }: PairingEvent,
): Promise<CountPairingEventOutcome> {
  const since = at - windowMs;
  const until = at + windowMs;
  const expiresAt = new Date(until).toISOString();
  const addEvent = async () => {
    const values = [counter, at, since, eventsMax, expiresAt, until];
    return (await connections.query(addPairingEventStatement, values)).length > 0;
  };
  const insertFirstEvent = async () =>
    (await connections.query(insertFirstPairingEventStatement, [counter, at, expiresAt])).length > 0;
  // The second try adds to a row that another request inserted in between.
  if ((await addEvent()) || (await insertFirstEvent()) || (await addEvent())) return { ok: true };
  const [row] = await connections.query<{ oldest: number | null }>(oldestPairingEventStatement, [
    counter,
    since,
    until,
  ]);
  return { ok: false, oldestAt: row?.oldest ?? at };
}

/** Removes only one event, even if two events have the same time. */
const removePairingEventStatement = statement({
  text: `
    UPDATE pairing_failures
       SET failed_at = failed_at[:array_position(failed_at, $2::bigint) - 1]
                    || failed_at[array_position(failed_at, $2::bigint) + 1:]
     WHERE subject = $1 AND array_position(failed_at, $2::bigint) IS NOT NULL`,
});

export async function removePairingEvent(
  connections: Connections,
  { counter, at }: Pick<PairingEvent, 'counter' | 'at'>,
): Promise<void> {
  await connections.query(removePairingEventStatement, [counter, at]);
}

const sweepCodesStatement = statement({ text: 'DELETE FROM pairing_codes WHERE expires_at < $1' });

const sweepEventsStatement = statement({ text: 'DELETE FROM pairing_failures WHERE expires_at < $1' });

export async function sweepPairing(connections: Connections, now: string): Promise<void> {
  await connections.query(sweepCodesStatement, [now]);
  await connections.query(sweepEventsStatement, [now]);
}
