/** Online steps on both databases, carried out by real server processes. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OnlineStepStore } from '../../../../server/store/online/online-step.ts';
import { runDueSteps } from '../../../../server/store/online/run-steps.ts';
import { mapDoc, newAccount, runRow, write } from '../records.ts';
import { countStep, stepTiming } from './count-step.ts';
import { startStepServer } from './step-process.ts';
import { stepDatabases, type SteppedDatabase } from './stepped-database.ts';

const accounts = 3;
const runsPerAccount = 60;
const rows = accounts * runsPerAccount;
const dayMs = 24 * 60 * 60 * 1000;

describe.each(stepDatabases)('$name', ({ open, isMissing }) => {
  const openFilled = async (): Promise<SteppedDatabase & { accountIds: string[]; dataDir: string }> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gemba-steps-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const database = await open(dataDir);
    const accountIds: string[] = [];
    for (let made = 0; made < accounts; made++) {
      const accountId = await newAccount(database.store);
      const map = mapDoc(0);
      const numbers = Array.from({ length: runsPerAccount }, (_, index) => index + 1);
      await write(database.store, accountId, (next) => ({
        maps: [{ ...map, version: next() }],
        runs: numbers.map((number) => runRow(next(), { mapId: map.id, number })),
      }));
      accountIds.push(accountId);
    }
    return { ...database, accountIds, dataDir };
  };

  test.skipIf(isMissing)(
    '[OPS-27] [OPS-28] [OPS-31] a fill that is killed goes on in the next process, while devices push and lose nothing',
    async () => {
      const database = await openFilled();
      const first = await startStepServer(database);
      const pushed = new Pushes(await openAccount(first.url), () => server.url);
      let server = first;
      const pushing = pushed.untilStopped();
      await expect.poll(async () => (await step(database))?.seen ?? 0).toBeGreaterThan(rows / 4);
      first.child.kill('SIGKILL');
      await once(first.child, 'close');
      const left = await step(database);
      expect(left?.seen).toBeLessThan(rows);
      expect(left?.done_at).toBeNull();

      server = await startStepServer(database);
      await expect.poll(async () => (await step(database))?.done_at ?? 0).toBeGreaterThan(0);
      const done = (await step(database))!;
      // Only the rows of one batch, which was not saved, can have been filled before they were seen.
      expect(done.seen - done.filled).toBeLessThanOrEqual(stepTiming.rowsMax);
      expect(done.seen).toBeGreaterThanOrEqual(rows);
      await expect
        .poll(() => readMetrics(server.url))
        .toContain('gemba_online_step_rows{step="count steps",kind="seen"}');
      expect(server.text()).toContain('"msg":"online step done"');
      await pushed.stop(pushing);
      server.child.kill('SIGTERM');
      await once(server.child, 'close');

      const wrong = 'step_count_version = version AND step_count <> coalesce(json_array_length(steps), 0)';
      expect(await database.count(wrong)).toBe(0);
      expect(await database.count(`step_count_version = version AND account_id <> '${pushed.accountId}'`)).toBe(rows);
      expect(pushed.acknowledged.length).toBeGreaterThan(0);
      const stored = await database.sessions(pushed.accountId);
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored).toEqual(expect.arrayContaining(pushed.acknowledged));
    },
  );

  test.skipIf(isMissing)('[OPS-29] two processes that start at once see each row once', async () => {
    const database = await openFilled();
    const servers = await Promise.all([startStepServer(database), startStepServer(database)]);
    await expect.poll(async () => (await step(database))?.done_at ?? 0).toBeGreaterThan(0);
    expect(await step(database)).toMatchObject({ seen: rows, filled: rows });
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ child }) => once(child, 'close')));
    expect(await step(database)).toMatchObject({ seen: rows, filled: rows });
  });

  test.skipIf(isMissing)('[OPS-29] a lease keeps out other processes until it ends, and what they save', async () => {
    const database = await openFilled();
    const steps = await database.openSteps();
    onTestFinished(() => steps.close());
    const empty = { position: null, seen: 0, filled: 0, doneAt: null, passedAt: null };
    expect(await steps.read('one')).toBeUndefined();
    expect(await steps.claim('one', { holder: 'a', now: 1_000, until: 2_000 })).toEqual(empty);
    expect(await steps.claim('one', { holder: 'b', now: 1_999, until: 3_000 })).toBeUndefined();
    await steps.save('one', 'b', { ...empty, seen: 5 });
    expect(await steps.claim('one', { holder: 'a', now: 1_999, until: 2_500 })).toEqual(empty);
    expect(await steps.claim('one', { holder: 'b', now: 2_501, until: 3_500 })).toEqual(empty);
    const saved = {
      ...empty,
      seen: 5,
      filled: 4,
      position: { accountId: database.accountIds[0]!, id: '7' },
      passedAt: 9,
    };
    await steps.save('one', 'b', saved);
    expect(await steps.read('one')).toEqual(saved);
  });

  test.skipIf(isMissing)(
    '[OPS-30] a pass of each day until the 7th fills what an earlier version wrote after the first one',
    async () => {
      const database = await openFilled();
      const unfilled = () => database.count('step_count_version IS NULL OR step_count_version <> version');
      const [accountId] = database.accountIds as [string];
      const pass = (now: number) => runSteps(database, now);
      const writeRuns = (from: number) =>
        write(database.store, accountId, (next) => {
          const map = mapDoc(next());
          return {
            maps: [map],
            runs: [from, from + 1].map((number) => runRow(next(), { mapId: map.id, number, id: 10_000 + number })),
          };
        });
      await pass(1);
      expect(await unfilled()).toBe(0);
      await writeRuns(1);
      await database.touch(accountId);
      expect(await unfilled()).toBe(3);
      await pass(dayMs - 1);
      expect(await unfilled()).toBe(3);
      await pass(dayMs + 1);
      expect(await unfilled()).toBe(0);
      await writeRuns(3);
      await pass(7 * dayMs);
      expect(await unfilled()).toBe(0);
      await writeRuns(5);
      await pass(8 * dayMs + 1);
      expect(await unfilled()).toBe(2);
    },
  );
});

async function runSteps({ openSteps, which }: SteppedDatabase, now: number): Promise<void> {
  const bugs: unknown[] = [];
  const open = (): Promise<OnlineStepStore> => openSteps();
  const options = { steps: [countStep], which, open, holder: 'test', timing: { ...stepTiming, pauseMs: 0 } };
  const onBug = (error: unknown) => void bugs.push(error);
  await runDueSteps({ ...options, now: () => now, onProgress: () => {}, onBug }, new AbortController().signal);
  expect(bugs).toEqual([]);
}

async function step({ steps }: SteppedDatabase) {
  const [row] = await steps();
  return row && { seen: Number(row.seen), filled: Number(row.filled), done_at: row.done_at && Number(row.done_at) };
}

const operator = { Authorization: 'Bearer operator-of-the-steps', 'Content-Type': 'application/json' };

async function openAccount(url: string): Promise<{ accountId: string; key: string }> {
  const body = '{"name":"Field","plan":"team"}';
  const response = await fetch(`${url}/api/v1/admin/accounts`, { method: 'POST', headers: operator, body });
  const made = (await response.json()) as { account: { id: string }; api_key: string };
  return { accountId: made.account.id, key: made.api_key };
}

async function readMetrics(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: operator })).text();
}

/** A device that records new maps, and sends each until it is acknowledged. */
class Pushes {
  readonly accountId: string;
  readonly acknowledged: string[] = [];
  readonly #key: string;
  readonly #url: () => string;
  readonly #clientId = crypto.randomUUID();
  #isStopped = false;

  constructor({ accountId, key }: { accountId: string; key: string }, url: () => string) {
    this.accountId = accountId;
    this.#key = key;
    this.#url = url;
  }

  async untilStopped(): Promise<void> {
    for (let seq = 1; !this.#isStopped; seq++) {
      const session = `recording-${seq}`;
      const steps = [{ stage_name: 'Weld', order: 1, duration_secs: seq }];
      const recorded_at = '2026-04-01T09:30:00.000Z';
      const args = { name: `Map ${seq}`, recording_session_id: session, steps };
      const mutations = [{ seq, name: 'record_new_map', args, recorded_at }];
      const body = JSON.stringify({ client_id: this.#clientId, acked_seq: seq - 1, mutations });
      while (!this.#isStopped && !(await this.#send(body)));
      if (!this.#isStopped) this.acknowledged.push(session);
    }
  }

  async stop(pushing: Promise<void>): Promise<void> {
    this.#isStopped = true;
    await pushing;
  }

  async #send(body: string): Promise<boolean> {
    const headers = { 'Content-Type': 'application/json', 'Gemba-Protocol': '1', Authorization: `Bearer ${this.#key}` };
    const sent = fetch(`${this.#url()}/api/v1/sync/push`, { method: 'POST', headers, body });
    const response = await sent.catch(() => undefined);
    if (!response?.ok) return false;
    const { results } = (await response.json()) as { results: { status: string }[] };
    expect(results.map(({ status }) => status)).toEqual(['applied']);
    return true;
  }
}
