/** Reads and writes pairing codes and pairing events. The caller of a write holds the write lock of the database. */
import type {
  CountPairingEventOutcome,
  PairingEvent,
  PairingClaim,
  PairingCodeOrigin,
  PairingCodeRow,
  PairingCodeQuery,
} from '../credentials/credentials.ts';
import type { Database } from './database.ts';

export function insertPairingCode(database: Database, code: PairingCodeRow): boolean {
  const row = database.get(
    `INSERT INTO pairing_codes (code_hash, account_id, device_kind, expires_at, created_by) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING 1`,
    code.code_hash,
    code.account_id,
    code.device_kind,
    code.expires_at,
    code.created_by && JSON.stringify(code.created_by),
  );
  return row !== undefined;
}

const claimableCodeCondition =
  'code_hash = ?1 AND device_kind = ?3 AND expires_at > ?4 AND (device_id IS NULL OR device_id = ?2)';

export function claimPairingCode(database: Database, claim: PairingClaim): PairingCodeOrigin | undefined {
  return readCodeOrigin(
    database,
    `UPDATE pairing_codes SET device_id = ?2 WHERE ${claimableCodeCondition} RETURNING account_id, created_by, expires_at`,
    claim,
  );
}

export function findPairingCode(database: Database, query: PairingCodeQuery): PairingCodeOrigin | undefined {
  return readCodeOrigin(
    database,
    `SELECT account_id, created_by, expires_at FROM pairing_codes WHERE ${claimableCodeCondition}`,
    query,
  );
}

function readCodeOrigin(database: Database, sql: string, query: PairingCodeQuery): PairingCodeOrigin | undefined {
  const { code_hash, device_id, device_kind, now } = query;
  const row = database.get<{ account_id: string; created_by: string | null; expires_at: string }>(
    sql,
    code_hash,
    device_id,
    device_kind,
    now,
  );
  return row && { ...row, created_by: row.created_by === null ? null : JSON.parse(row.created_by) };
}

export function countPairingEvent(
  database: Database,
  { counter, at, windowMs, eventsMax }: PairingEvent,
): CountPairingEventOutcome {
  // Ignore an event whose time is `windowMs` or more after `at`, since a server whose clock was ahead made the event.
  const isRecent = (eventAt: number) => eventAt > at - windowMs && eventAt < at + windowMs;
  const recent = readEventTimes(database, counter).filter(isRecent);
  if (recent.length >= eventsMax) return { ok: false, oldestAt: Math.min(...recent) };
  database.run(
    `INSERT INTO pairing_failures (subject, failed_at, expires_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (subject) DO UPDATE SET failed_at = ?2, expires_at = ?3`,
    counter,
    JSON.stringify([...recent, at]),
    new Date(at + windowMs).toISOString(),
  );
  return { ok: true };
}

export function uncountPairingEvent(database: Database, { counter, at }: Pick<PairingEvent, 'counter' | 'at'>): void {
  const times = readEventTimes(database, counter);
  const index = times.indexOf(at);
  if (index === -1) return;
  const rest = JSON.stringify(times.toSpliced(index, 1));
  database.run('UPDATE pairing_failures SET failed_at = ?2 WHERE subject = ?1', counter, rest);
}

export function sweepPairing(database: Database, now: string): void {
  database.run('DELETE FROM pairing_codes WHERE expires_at < ?', now);
  database.run('DELETE FROM pairing_failures WHERE expires_at < ?', now);
}

function readEventTimes(database: Database, counter: string): number[] {
  const row = database.get<{ failed_at: string }>('SELECT failed_at FROM pairing_failures WHERE subject = ?', counter);
  return row ? JSON.parse(row.failed_at) : [];
}
