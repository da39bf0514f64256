/** A phone whose own work is stuck still carries for others. */
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemOf } from '../../../../shared/protocol/problem.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { channelKinds } from '../channels.ts';
import { handClock } from './hand-clock.ts';
import { meet, newCarryingPhone, newWatch } from '../watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

test('[RELAY-81] a phone whose own push is stuck takes what a watch beside it hands over, and delivers it after a minute', async () => {
  const clock = handClock();
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server, { clock });
  phone.net.online = true;
  const { near, far } = channelKinds['Node streams']!();
  void phone.carrier.carry(near);
  void watch.handOver.handOver(far, { live: true });
  const first = await watch.record();
  await firstValueFrom(watch.watch.custody$(first).pipe(filter((custody) => custody === 'server')));
  phone.net.answers('sync/push', () => Promise.reject(new TypeError('stuck')));
  await phone.phone.createMap({ name: 'Own' });
  const session = await watch.record();
  await expect.poll(() => watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
  const advance = async () => {
    clock.advance(5_000);
    return (await watch.runs()).length;
  };
  await expect.poll(advance).toBe(2);
  await watch.watch.close();
});

test('[RELAY-81] a phone whose own sync is blocked delivers what it carries', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  await meet(watch, phone);
  const problem = problemOf({ code: 'account_mismatch', detail: 'Another account.' });
  const init = { status: problem.status, headers: { 'Content-Type': 'application/problem+json' } };
  phone.net.answers('sync/push', () => Response.json(problem, init));
  await phone.phone.createMap({ name: 'Own' });
  phone.net.online = true;
  void phone.phone.sync();
  await firstValueFrom(phone.phone.status$.pipe(filter(({ phase }) => phase === 'blocked')));
  await expect.poll(() => watch.runs()).toHaveLength(1);
});
