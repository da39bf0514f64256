/** A device in a process of its own, on a journal in a folder, that performs the acts of its input lines. */
import { createInterface } from 'node:readline';
import { openDeviceOfProcess } from '../../device/device-of-process.ts';
import { finishAll, performAct, shownBy } from '../../device/recorder-acts.ts';
import type { Act } from '../../device/recorder-model.ts';

const gemba = await openDeviceOfProcess();

interface Order {
  what: 'map' | 'act' | 'shown' | 'finish' | 'sync';
  mapId: string;
  act: Act;
}

const answers: Record<Order['what'], (order: Order) => Promise<unknown>> = {
  map: async () => (await gemba.createMap({ name: 'Saw' })).map_id,
  act: ({ mapId, act }) => performAct(gemba, mapId, act),
  shown: ({ mapId }) => shownBy(gemba, mapId),
  finish: ({ mapId }) => finishAll(gemba, mapId),
  sync: () => gemba.sync(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order;
  process.stdout.write(`${JSON.stringify({ answer: (await answers[order.what](order)) ?? null })}\n`);
}
