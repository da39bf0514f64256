/** Maps and runs that are not there, or that the server refused. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import type { MapRecord } from '../../../../../shared/schema/map.ts';
import { operatorToken, restClient } from '../../../../device/test-server.ts';
import { expectNoViolationsInOneScheme } from '../../accessibility.ts';
import { appServer, newCode, type AppServer } from '../../app-server.ts';
import { builtApp } from '../../built-app.ts';
import { keptForOffline, openDevice, pair } from '../../devices.ts';
import { atWorkersPace, button, createMap, finish, heading, recordOneStep, section, status } from '../../locators.ts';
import { link, openPhone } from '../../recorded-runs.ts';

const app = builtApp();

const kept = 'Nothing is lost: it is kept on this device under “Needs attention”.';

/** Makes an account of the free plan, whose two maps are used, and a link that pairs its phone. */
async function fullAccount({ url }: AppServer): Promise<string> {
  const operator = restClient(url, operatorToken);
  const { body } = await operator.send<{ api_key: string }>('POST', '/admin/accounts', { name: 'Small', plan: 'free' });
  const rest = restClient(url, body.api_key);
  for (const name of ['Saw', 'Press line']) await rest.send<MapRecord>('POST', '/maps', { name });
  return `${url}/pair#${await newCode(rest, 'phone')}`;
}

test('[APP-320] a map and a run that the plan has no room for say that they are kept, and lead to the way out', async () => {
  const server = await appServer(app.folder);
  const { page } = await openDevice();
  await pair(page, await fullAccount(server));
  await page.getByText('Press line').waitFor();
  await keptForOffline(page);

  await button(page, 'New map').click();
  await page.getByLabel('Process name').fill('Gearbox');
  await button(page, 'Create').click();
  await page.getByText('Your plan includes 2 maps.').waitFor();
  await heading(page, 'Gearbox').waitFor();
  await page.getByText(kept).waitFor();
  await expectNoViolationsInOneScheme(page);
  const refusedMap = page.url();
  await link(page, 'See what needs attention').click();
  await heading(page, 'New map: Gearbox').waitFor();

  // The recording of a refused map depends on it.
  await button(page, 'Discard').click();
  await heading(page, 'New map: Gearbox').waitFor({ state: 'detached' });
  await page.goto(server.url);
  await page.context().setOffline(true);
  await createMap(page, 'Lathe');
  await recordOneStep(page);
  await link(page, '1 run').click();
  await page.getByRole('list', { name: 'Runs' }).getByRole('link').click();
  await heading(page, 'Run 1').waitFor();
  await page.context().setOffline(false);
  await heading(page, 'Recording').waitFor();
  await page.getByText(kept).waitFor();
  await expectNoViolationsInOneScheme(page);

  await page.goto(refusedMap);
  await heading(page, 'Map not found').waitFor();
  await page.getByText('This map was deleted, or the link is wrong.').waitFor();
});

test('[APP-321] a mistyped link to a map or a run says so and leads to the maps', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await createMap(page, 'Press line');
  const map = page.url();
  await page.goto(`${map}/runs/123456`);
  await heading(page, 'Run not found').waitFor();
  await page.getByText('This run was deleted, or the link is wrong.').waitFor();
  for (const path of [`${map}f`, `${map}f/runs`]) {
    await page.goto(path);
    await heading(page, 'Map not found').waitFor();
    await page.getByText('This map was deleted, or the link is wrong.').waitFor();
  }
  await expectNoViolationsInOneScheme(page);
  await link(page, 'Go to the maps').click();
  await heading(page, 'Maps').waitFor();
});

test('[APP-322] [APP-323] Record on another map leads to the recording under way, and the status counts its steps', async () => {
  const server = await appServer(app.folder);
  const page = await openPhone(server);
  await createMap(page, 'Saw');
  await section(page, 'Maps').click();
  await createMap(page, 'Press line');
  await status(page, 'All safe on the server').waitFor();
  await server.kill();
  await button(page, 'Record').click();
  await button(page, 'First step').click();
  await heading(page, 'Step 1').waitFor();
  await atWorkersPace(page);
  await button(page, 'Next step').click();
  await status(page, 'Offline · 2 steps on this device').waitFor();

  await section(page, 'Maps').click();
  await page.getByText('Saw').click();
  await button(page, 'Record').click();
  await heading(page, 'Press line').waitFor();
  await page.getByText('Finish or discard this recording first.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/record');

  await finish(page);
  await status(page, 'Offline · 1 change to upload').waitFor();
});
