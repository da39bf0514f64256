/** A server whose database went back without a sign of it, and a watch that hands over. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { databaseFileName } from '../../../server/store/sqlite/data-folder.ts';
import { restartableServer } from './restartable-server.ts';
import { meet, newCarryingPhone, newWatch } from './watches.ts';

/** A watch with one recording before the file of the database was copied, and one that went with the file. */
async function watchOfLostNumbers() {
  const { live, root, server, close, reopen } = await restartableServer();
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  const sessions = [await watch.record('Before')];
  await meet(watch, phone);
  await close();
  // A copy of the file tells nobody that it is a copy, as `npm run restore` would.
  const [file, copy] = [join(live, databaseFileName), join(root, 'copy.db')];
  copyFileSync(file, copy);
  await reopen();
  await expect.poll(() => watch.runs().catch(() => [])).toHaveLength(1);
  sessions.push(await watch.record('Lost'));
  await meet(watch, phone);
  expect(await watch.custody(sessions[1]!)).toMatchObject({ custody: 'server' });
  await close();
  copyFileSync(copy, file);
  await reopen();
  await expect.poll(() => watch.runs().catch(() => [])).toHaveLength(1);
  return { watch, phone, sessions };
}

async function expectAllOnServer({ watch, sessions }: Awaited<ReturnType<typeof watchOfLostNumbers>>) {
  for (const session of sessions) expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect((await watch.runs()).map((run) => run.recording_session_id).toSorted()).toEqual(sessions.toSorted());
}

test('[RELAY-53] a watch whose server lacks numbers pulls all, since changes may have versions that its cursor has passed', async () => {
  const made = await watchOfLostNumbers();
  const { watch, phone, sessions } = made;
  // This change gets a version that the watch has pulled.
  await watch.rest.send('PATCH', `/maps/${watch.mapId}`, { name: 'Renamed' });
  for (let later = 0; later < 4; later++) await watch.rest.send('POST', '/maps', { name: `Later ${later}` });
  sessions.push(await watch.record('After'));
  for (let meetings = 0; meetings < 3; meetings++) await meet(watch, phone);
  await expectAllOnServer(made);
  const names = (await firstValueFrom(watch.watch.maps$)).map(({ name }) => name);
  expect(names).toContain('Renamed');
  expect(names).toHaveLength(5);
});

test('[RELAY-53] work that was exported before the meeting, and so is forwarded, finds the lost numbers, too', async () => {
  const made = await watchOfLostNumbers();
  const { watch, phone, sessions } = made;
  sessions.push(await watch.record('After'));
  await watch.watch.exportUnsent();
  for (let meetings = 0; meetings < 4; meetings++) await meet(watch, phone);
  await expectAllOnServer(made);
});
