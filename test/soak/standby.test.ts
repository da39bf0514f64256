/** `npm run soak` runs this for minutes, `npm test` does not. */
import { expect, test } from 'vitest';
import { findPrograms } from '../failover/programs.ts';
import { randomWithPrintedSeed } from '../random.ts';
import { testMsMax } from '../timeouts.ts';
import { runSoak } from './run-soak.ts';
import { openStandbySite } from './standby-site.ts';

const minutes = Number(process.env['GEMBA_SOAK_MINUTES'] ?? 1);

test(
  '[SOAK-1] [SOAK-3] [SOAK-4] real devices lose and double nothing and end equal on PostgreSQL with a synchronous standby',
  async () => {
    const programs = findPrograms();
    if (!('found' in programs)) throw new Error(programs.missing);
    const random = randomWithPrintedSeed();
    const site = await openStandbySite(programs.found, random);

    const counted = await runSoak({ site, random, nodeDevices: 4, until: { minutes } });

    console.log(counted);
    expect(counted).toMatch(/^[1-9]/);
  },
  testMsMax + minutes * 60_000,
);
