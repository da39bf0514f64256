import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { readEnvironment } from '../../../server/environment.ts';
import { accountBucketOf } from '../../../server/webhooks/buckets.ts';
import { parseAllowedTargets, publicTargets } from '../../../server/webhooks/send/target.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';
import { Endpoint } from '../../endpoint.ts';

const read = (variables: Record<string, string>) => {
  const environment = readEnvironment(variables);
  if (!environment.ok) return environment.problems;
  const { webhookTargets, sendsWebhooks } = environment.settings;
  return { webhookTargets, sendsWebhooks };
};

test('[HOOK-19] a process that sends no webhooks leases no bucket, and the next one that does sends the events', async () => {
  const { dataDir, remove } = temporaryFolder();
  const endpoint = await Endpoint.open();
  const webhookTargets = parseAllowedTargets('127.0.0.0/8,http')!;
  const options = { dataDir, port: 0, host: '127.0.0.1', webhookTargets, webhookRoundMs: 10 };
  const silent = await openServer({ ...options, sendsWebhooks: false });
  onTestFinished(async () => {
    await silent.close();
    await endpoint.close();
    remove();
  });
  const api = await newApi(silent);
  expect((await api.post('/api/v1/webhooks', { url: endpoint.url })).status).toBe(201);
  for (let maps = 0; maps < 20; maps++) await api.createMap();
  const bucket = accountBucketOf(api.accountId);
  const now = new Date().toISOString();
  expect(await silent.store.leaseBucket({ bucket, holder: 'test', now, until: now, endsAtMax: now })).toBe(true);
  expect(endpoint.posted).toEqual([]);
  const loud = await openServer(options);
  onTestFinished(() => loud.close());
  await expect.poll(() => endpoint.posted.length).toBe(20);
});

test('[HOOK-9] [HOOK-19] the settings of webhooks are checked at the start', () => {
  expect(read({})).toEqual({ webhookTargets: publicTargets, sendsWebhooks: true });
  expect(read({ GEMBA_WEBHOOKS: 'off' })).toMatchObject({ sendsWebhooks: false });
  expect(read({ GEMBA_WEBHOOKS: 'no' })).toEqual([expect.stringMatching(/^GEMBA_WEBHOOKS must be off/)]);
  expect(read({ GEMBA_WEBHOOK_ALLOW: '10.0.0.0' })).toEqual([expect.stringMatching(/^GEMBA_WEBHOOK_ALLOW must be /)]);
  expect(read({ GEMBA_WEBHOOK_ALLOW: 'http' })).toMatchObject({ webhookTargets: { http: true } });
});
