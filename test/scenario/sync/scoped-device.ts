/** A device that holds a part of the runs, on a server of the test. */
import { randomUUID } from 'node:crypto';
import {
  runScope,
  type Gemba,
  type GembaOptions,
  type RunScopeBounds,
  type ScopedGemba,
} from '../../../client/client.ts';
import { current, device, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { restClient, type RestClient, type TestServer } from '../../device/test-server.ts';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';

export interface Run {
  id: number;
  number: number;
}

export const steps = [1, 2].map((order) => ({ stage_name: `Step ${order}`, order, duration_secs: order }));

export async function makeMap(rest: RestClient, runCount: number): Promise<{ mapId: string; runs: Run[] }> {
  const { body } = await rest.send<{ id: string }>('POST', '/maps', { name: `Map of ${runCount}` });
  const runs: Run[] = [];
  for (let made = 0; made < runCount; made++) runs.push(await record(rest, body.id));
  return { mapId: body.id, runs };
}

export async function record(rest: RestClient, mapId: string): Promise<Run> {
  const recorded = await rest.send<{ run: Run }>('POST', `/maps/${mapId}/recording`, { steps });
  return recorded.body.run;
}

export const numbersShown = async (gemba: Gemba, mapId: string) =>
  (await current(gemba.runs$(mapId))).map(({ number }) => number);

/** A device that syncs only when told to, and can be opened again with other options. */
export async function scopedPhone(
  server: TestServer,
  runCount: number,
  scope: RunScopeBounds | undefined,
  more: Partial<GembaOptions> = {},
) {
  const net = network();
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const map = await makeMap(rest, runCount);
  const fixed = {
    name: `device-${randomUUID()}`,
    url: server.url,
    token,
    storage: memoryStorage(),
    ...manualSync(net),
  };
  const open = async (changed: RunScopeBounds | undefined = scope) =>
    (await device({ ...fixed, ...more, ...(changed ? { scope: runScope(changed) } : {}) })) as ScopedGemba;
  const phone = await open();
  await phone.sync();
  return { ...map, net, rest, phone, open, openUnscoped: () => device({ ...fixed, ...more }) };
}

/** Waits for the device to drop runs, which it does when it is idle. `runsOnServer$` is no look at a run. */
export const dropped = (gemba: ScopedGemba, count: number) =>
  firstValueFrom(gemba.runsOnServer$.pipe(filter((found) => found.count === count)));
