/** A phone without a network hands its recordings to a colleague's phone. Two real Chromiums, whose cameras see the screens. */
import { expect, test } from 'vitest';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { button, heading } from '../locators.ts';
import { runsOf } from '../recorded-runs.ts';
import { connect, expectUsable, giverWithRuns, linkOfAnother, openHandOver, openPhone, shownCode } from './phones.ts';

const app = builtApp();
const recordings = 20;

test('[APP-560] [APP-561] [APP-568] 20 recordings go to a phone of another account and to the server, and the answer comes back', async () => {
  const server = await appServer(app.folder);
  const giver = await giverWithRuns(server, recordings);
  const taker = await openPhone(await linkOfAnother(server));
  await openHandOver(giver.page);
  await giver.page.getByText(`${recordings} recordings`, { exact: true }).waitFor();
  const size = await giver.page.getByText(/^\d+ kB, sealed/).innerText();
  console.log(`${recordings} recordings: ${size}`);
  await giver.page.getByText('14 days at most').waitFor();
  await expectUsable(giver.page);

  await connect(giver, taker);
  const readAt = Date.now();
  await heading(giver.page, 'Safe on the server').waitFor();
  console.log(`All of them were safe ${Date.now() - readAt} ms after the tap on "Read its code".`);
  await giver.page.getByText(`${recordings} of ${recordings} recordings handed over`).waitFor();
  await giver.page.getByText(`${recordings} recordings safe on the server`).waitFor();
  await heading(taker.page, 'Taken and sent').waitFor();
  await expectUsable(giver.page);
  await expectUsable(taker.page);
  expect(await runsOf(server, giver.mapId)).toHaveLength(recordings);
  await button(taker.page, 'Done').click();
  await giver.page.getByRole('link', { name: 'Done' }).click();
  await openHandOver(giver.page);
  await heading(giver.page, 'Nothing to hand over').waitFor();
  expect(await shownCode(giver.page).count()).toBe(0);
});
