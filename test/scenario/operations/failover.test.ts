/**
 * Two real server processes on one PostgreSQL under mixed load. One of the two is killed with SIGKILL again and again, and
 * its clients retry at the other. At the end all work is stored once and in order, and both processes return the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { createAccountOn, startServerOn } from './failing-pair.ts';
import { startFailoverWork } from './failover-work.ts';
import { randomWithPrintedSeed, randomBelow } from '../../random.ts';

const kills = 15;
const killAfterMsMax = 1_000;
/** Spare processes start while others are killed, since a start may take as long as the time between two kills. */
const sparesMax = 4;
const pollMs = 100;

describe.skipIf(!postgresAtHand())('two processes on one PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test('[PG-3] [PG-11] [PG-12] [PG-13] [PG-14] lose and double nothing, however often one is killed', async () => {
    const random = randomWithPrintedSeed();
    const databaseUrl = await postgres!.createDatabase();
    const servers = await Promise.all([startServerOn(databaseUrl), startServerOn(databaseUrl)]);
    const spares = Array.from({ length: sparesMax }, () => startServerOn(databaseUrl));
    const urls = servers.map(({ url }) => url);
    const work = await startFailoverWork({ urls, account: await createAccountOn(urls[0]!), random });
    let killed = 0;
    for (; killed < kills && !work.ending.aborted; killed++) {
      await sleep(randomBelow(random, killAfterMsMax));
      const victim = randomBelow(random, servers.length);
      servers[victim]!.child.kill('SIGKILL');
      await servers[victim]!.ended;
      servers[victim] = await spares.shift()!;
      spares.push(startServerOn(databaseUrl));
      urls[victim] = servers[victim]!.url;
    }
    // A slow machine gets more time, until enough work is done.
    while (work.keptCount() <= killed && !work.ending.aborted) await sleep(pollMs);
    await work.end();
    // Spare processes must have started before they can be stopped.
    await Promise.all(spares);
    console.log(`${killed} kills, ${await work.expectKeptOnce()}`);
    expect(work.keptCount()).toBeGreaterThan(killed);
  });
});
