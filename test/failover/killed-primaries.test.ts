/**
 * Two server processes behind PgBouncer on a PostgreSQL whose primary is killed again and again, with its Patroni, under
 * mixed load. `npm run failover` runs it, `npm test` does not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Api } from '../contract/fixture.ts';
import { randomBelow, randomWithPrintedSeed } from '../random.ts';
import { createAccountOn, startServerOn } from '../scenario/operations/failing-pair.ts';
import { startFailoverWork } from '../scenario/operations/failover-work.ts';
import { startFailoverCluster, type FailoverCluster } from './cluster.ts';
import { startProbe } from './probe.ts';
import { findPrograms } from './programs.ts';

const kills = Number(process.env['GEMBA_FAILOVER_KILLS'] ?? 20);
const killAfterMsMax = 1_000;
const lagMsMax = 500;
/** Half a minute of pauses, and then as many again. */
const triesMax = 600;
const retryPauseMs = 100;
const backMsMax = 30_000;

let cluster: FailoverCluster | undefined;
beforeAll(async () => {
  const programs = findPrograms();
  if (!('found' in programs)) throw new Error(programs.missing);
  cluster = await startFailoverCluster(programs.found);
});
afterAll(() => cluster?.end());

test('[PG-33] [PG-34] [PG-35] primaries killed under load lose and double nothing, and the service is back by itself', async () => {
  const { url, directUrl, untilSynchronous, killPrimary, startNode } = cluster!;
  const random = randomWithPrintedSeed();
  const pooled = { POKE_DATABASE_URL: directUrl, DATABASE_POOLER: 'transaction' };
  const servers = [await startServerOn(url, pooled), await startServerOn(url, pooled)];
  for (const { child } of servers) cluster!.processes.guard(child.pid!);
  const urls = servers.map((server) => server.url);
  const account = await createAccountOn(urls[0]!);
  const probes = await Promise.all(
    urls.map((at) => startProbe(new Api({ url: at, key: account.key, accountId: account.accountId }))),
  );
  const work = await startFailoverWork({
    urls,
    account: await createAccountOn(urls[0]!),
    random,
    triesMax,
    async onUnavailable({ headers, body }) {
      expect({ code: body.code, retryAfter: headers.get('Retry-After') }).toEqual({
        code: 'unavailable',
        retryAfter: expect.stringMatching(/^[1-9]\d*$/),
      });
      await sleep(retryPauseMs);
    },
  });

  const backMs: number[] = [];
  for (let killed = 0; killed < kills && !work.ending.aborted; killed++) {
    await sleep(randomBelow(random, killAfterMsMax));
    const { node, killedAt } = await killPrimary({ lagMs: randomBelow(random, lagMsMax) });
    const back = await Promise.all(probes.map((probe) => probe.untilServedSince(killedAt, backMsMax)));
    backMs.push(Math.max(...back));
    await startNode(node);
    await untilSynchronous();
    const both = performance.now() - killedAt;
    console.log(
      `kill ${killed + 1} of ${kills}: ${node.name}; back after ${secs(backMs.at(-1)!)}, with a standby after ${secs(both)}; ${work.keptCount()} recordings`,
    );
  }
  await Promise.all(probes.map((probe) => probe.end()));
  await work.end();
  const counted = await work.expectKeptOnce();
  for (const { child, printed } of servers)
    expect({ exitCode: child.exitCode, printed: printed() }).toMatchObject({ exitCode: null });
  const refused = probes.reduce((sum, probe) => sum + probe.refused(), 0);
  expect(refused).toBeGreaterThanOrEqual(backMs.length);
  expect(backMs).toHaveLength(kills);
  const sorted = backMs.toSorted((a, b) => a - b);
  console.log(
    `${kills} kills, ${counted}; back after ${secs(sorted[0]!)} to ${secs(sorted.at(-1)!)}, median ${secs(sorted[Math.floor(sorted.length / 2)]!)}; ` +
      `${refused} probes answered with 503, the slowest answer after ${secs(Math.max(...probes.map((probe) => probe.slowestMs())))}`,
  );
});

const secs = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
