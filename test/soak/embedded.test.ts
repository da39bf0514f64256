/**
 * Real devices against a real server on the embedded store, under `kill -9`, `SIGSTOP`, a full disk and a lossy network.
 * `npm run soak` lets it go on for minutes, with a phone in Chromium.
 */
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../browser/app/build.ts';
import { restClient } from '../device/test-server.ts';
import { randomWithPrintedSeed, type Random } from '../random.ts';
import { testMsMax } from '../timeouts.ts';
import { openEmbeddedSite, type EmbeddedSite } from './embedded-site.ts';
import { openLossyProxy } from './lossy-proxy.ts';
import { openPhone } from './phone.ts';
import { runSoak, type Worker } from './run-soak.ts';

const minutes = Number(process.env['GEMBA_SOAK_MINUTES'] ?? 0);

test(
  '[SOAK-1] [SOAK-3] [SOAK-4] real devices lose and double nothing and end equal to the server on the embedded store',
  async () => {
    const random = randomWithPrintedSeed();
    const app = minutes > 0 ? await buildApp() : undefined;
    if (app) onTestFinished(() => app.remove());
    const site = await openEmbeddedSite(random, app?.folder);
    const another = app && (await phoneOf(site, random));

    const until = minutes > 0 ? { minutes } : { faults: 10 };
    const counted = await runSoak({ site, random, nodeDevices: 2, until, ...(another ? { another } : {}) });

    console.log(counted);
    expect(counted).toMatch(/^[1-9]/);
  },
  testMsMax + minutes * 60_000,
);

async function phoneOf({ urls, key, link }: EmbeddedSite, random: Random): Promise<Worker> {
  const proxy = await openLossyProxy(urls[0]!, random);
  onTestFinished(() => proxy.close());
  return openPhone({ proxy, link, rest: restClient(urls[0]!, key), random });
}
