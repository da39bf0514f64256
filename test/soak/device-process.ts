/** A device of the soak in a process of its own, on a journal in a folder. Performs the orders of its input lines. */
import { createInterface } from 'node:readline';
import { firstValueFrom } from 'rxjs';
import type { Recording } from '../../client/client.ts';
import { openDeviceOfProcess } from '../device/device-of-process.ts';
import { shownBy } from '../device/shown-records.ts';
import type { Order } from './orders.ts';

const gemba = await openDeviceOfProcess();

const underWay = () => firstValueFrom(gemba.recording$);

async function onRecording<Result>(act: (recording: Recording) => Promise<Result>): Promise<Result> {
  const recording = await underWay();
  if (!recording) throw new Error('no recording is under way');
  return act(recording);
}

async function perform(order: Order): Promise<unknown> {
  switch (order.what) {
    case 'createMap':
      return (await gemba.createMap({ name: order.name })).map_id;
    case 'rename':
      return gemba.updateMap(order.mapId, { name: order.name });
    case 'start':
      // A device that lost its records shows no map until its next pull.
      if (!(await firstValueFrom(gemba.map$(order.mapId)))) return null;
      return (await gemba.startRecording({ mapId: order.mapId })).recording_session_id;
    case 'step':
      return onRecording((recording) => recording.step({ stage_name: order.name }));
    case 'finish':
      return onRecording((recording) => recording.finish({ stages: 'keep' }));
    case 'discard':
      return onRecording((recording) => recording.discard());
    case 'underWay': {
      const recording = await underWay();
      const steps = recording?.steps.map(({ stage_name }) => stage_name);
      return recording && { session: recording.recording_session_id, steps };
    }
    case 'status':
      return firstValueFrom(gemba.status$);
    case 'shown':
      return shownBy(gemba);
    case 'custody':
      return firstValueFrom(gemba.custody$(order.session));
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await perform(JSON.parse(line) as Order).then(
    (value) => ({ value: value ?? null }),
    (error: unknown) => ({ error: String(error) }),
  );
  // Some answers are long, and a later end of this process must not cut them.
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
