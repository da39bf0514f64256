/**
 * Reads and writes pairing codes and pairing events. Each change is atomic: one statement, or one transaction, on one
 * row.
 */
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
import { runTransaction } from './run-transaction.ts';

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

/**
 * If several devices claim a code at once, the first one sets `device_id`, which makes the condition false for the
 * others.
 */
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
  codeStatement: Statement,
  query: PairingCodeQuery,
): Promise<PairingCodeOrigin | undefined> {
  const { code_hash, device_id, device_kind, now } = query;
  const values = [code_hash, device_id, device_kind, now];
  const [row] = await connections.query<PairingCodeOrigin>(codeStatement, values);
  return row;
}

/**
 * Makes the row of the counter if it is missing, and locks the row. The process counts the events in the row, since
 * Citus allows no subquery that could count them.
 */
const lockCounterStatement = statement({
  text: `
    INSERT INTO pairing_failures AS known (subject, failed_at, expires_at) VALUES ($1, '{}', $2)
    ON CONFLICT (subject) DO UPDATE SET expires_at = known.expires_at
    RETURNING failed_at`,
});

const saveCounterStatement = statement({
  text: 'UPDATE pairing_failures SET failed_at = $2::bigint[], expires_at = $3 WHERE subject = $1',
});

/**
 * Adds an event, unless the counter is full. Ignores each stored event whose time is `windowMs` or more after `at`,
 * since a wrong clock made the event.
 */
export async function countPairingEvent(
  connections: Connections,
  { counter, at, windowMs, eventsMax }: PairingEvent,
): Promise<CountPairingEventOutcome> {
  const expiresAt = new Date(at + windowMs).toISOString();
  let oldestAt = at;
  const lock = { statement: lockCounterStatement, values: [counter, expiresAt] };
  const isCounted = await runTransaction(connections, [lock], ([locked]) => {
    const [known] = (locked?.rows ?? []) as { failed_at: string[] }[];
    const recent = (known?.failed_at ?? []).map(Number).filter((time) => time > at - windowMs && time < at + windowMs);
    if (recent.length >= eventsMax) {
      oldestAt = Math.min(...recent);
      return undefined;
    }
    const values = [counter, [...recent, at], expiresAt];
    return { calls: [{ statement: saveCounterStatement, values }], result: true };
  });
  return isCounted ? { ok: true } : { ok: false, oldestAt };
}

/** Removes only one event, even if two events have the same time. */
const removePairingEventStatement = statement({
  text: `
    UPDATE pairing_failures
       SET failed_at = failed_at[:array_position(failed_at, $2::bigint) - 1]
                    || failed_at[array_position(failed_at, $2::bigint) + 1:]
     WHERE subject = $1 AND array_position(failed_at, $2::bigint) IS NOT NULL`,
});

export async function uncountPairingEvent(
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
