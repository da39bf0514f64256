import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { origin } from '../../contract/billing/billing-servers.ts';
import { expectProblem, newApi, temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { programArgs } from '../../programs.ts';

const root = resolve(import.meta.dirname, '../../..');
const stripeSettings = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_TEAM: 'price_1',
  STRIPE_PRICE_SEAT: 'price_2',
};

test('[BILL-1] without the settings of Stripe the routes of billing are unknown', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(server.close);
  const api = await newApi(server);
  expectProblem(await api.get('/api/v1/billing'), 404, 'not_found');
  for (const path of ['checkout', 'portal', 'stripe/events']) {
    expectProblem(await api.post(`/api/v1/billing/${path}`, {}), 404, 'not_found');
  }
  const { paths } = (await api.get('/api/v1/openapi.json')).body as { paths: object };
  expect(Object.keys(paths).filter((path) => path.includes('billing'))).toEqual([]);
});

test('[BILL-2] a part of the settings of Stripe ends the start and is named', async () => {
  const { STRIPE_PRICE_SEAT: _, ...part } = stripeSettings;
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = startServerProcess({ ...part, PUBLIC_URL: origin, DATA_DIR: dataDir });
  expect(await server.ended).toBe(1);
  expect(server.printed()).toContain('must be set together; unset: STRIPE_PRICE_SEAT');
  expect(server.printed()).not.toContain('sk_test_1');
});

test('[BILL-4] without its package the start ends and says how it is installed, and without Stripe it is not needed', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const program = await copyWithoutStripe(dataDir);
  const environment = { PUBLIC_URL: origin, DATA_DIR: join(dataDir, 'data') };
  const runner = ['env', '--', process.execPath, program, '--'];
  const lacking = startServerProcess({ ...environment, ...stripeSettings }, { runner });
  expect(await lacking.ended).toBe(1);
  expect(lacking.printed()).toContain('the package stripe is not installed: run npm ci without --omit=optional');
  await startServerProcess(environment, { runner }).until(/listening on/);
});

/** Copies the server to a folder whose packages are all but that of Stripe, as `npm ci --omit=optional` leaves them. */
async function copyWithoutStripe(folder: string): Promise<string> {
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== 'stripe') await symlink(join(root, 'node_modules', name), join(packages, name));
  }
  const program = programArgs('server/main').at(-1)!;
  const bundles = resolve(program, '../..');
  for (const name of ['server', 'chunks']) await cp(join(bundles, name), join(folder, name), { recursive: true });
  return join(folder, 'server', 'main.js');
}
