/** The bytes of a device that is in sync and sends new recordings. */
import { spreadOf } from '../../measure.ts';
import { gembaName, syncSubjects } from '../devices/all.ts';
import type { Work } from '../report/figures.ts';
import { makeRecordings, stepCount } from '../work.ts';
import { withLined, type LinedContender } from './lines.ts';
import { workOf, type PeersSetting, type Subject } from './work-setting.ts';

interface Traffic {
  up: number[];
  down: number[];
}

export async function measureBytes(setting: PeersSetting): Promise<Work[]> {
  const subjects = await syncSubjects({ ...setting, compressed: true });
  return withLined(subjects, setting.dataDir, async (lined) => {
    const works: Work[] = [];
    for (const count of setting.smoke ? [1] : [1, 100]) {
      const traffic = new Map<string, Traffic>();
      for (const [name, one] of lined) traffic.set(name, await trafficOf(one, count, setting.smoke ? 1 : 3));
      const named = Object.fromEntries(
        Object.entries(subjects).map(([name, subject]): [string, Subject] => {
          const { up, down } = traffic.get(name) ?? { up: [0], down: [0] };
          return [name, { ...subject, detail: `${kb(up)} up, ${kb(down)} down` }];
        }),
      );
      works.push(
        workOf<string>({
          id: `bytes-${count}`,
          title: `Bytes of ${count} recording${count === 1 ? '' : 's'} by a device in sync`,
          about: `Recordings of ${stepCount} steps. Both ways together, as they passed the socket, with the headers; the connection stands.`,
          unit: 'kB',
          better: 'lower',
          base: gembaName,
          samples: Object.fromEntries(
            [...traffic].map(([name, { up, down }]) => [name, up.map((sent, round) => sent + (down[round] ?? 0))]),
          ),
          subjects: named,
        }),
      );
    }
    return works;
  });
}

const kb = (samples: number[]): string => spreadOf(samples).median.toFixed(1);

async function trafficOf({ running, line }: LinedContender, count: number, rounds: number): Promise<Traffic> {
  const device = await running.openDevice({ url: line.url, space: await running.newSpace() });
  // The first recording brings the device into sync.
  await device.record(makeRecordings(1));
  await device.settle();
  const traffic: Traffic = { up: [], down: [] };
  for (let round = 0; round < rounds; round += 1) {
    const before = { up: line.bytesUp, down: line.bytesDown };
    await device.record(makeRecordings(count));
    await device.settle();
    traffic.up.push((line.bytesUp - before.up) / 1000);
    traffic.down.push((line.bytesDown - before.down) / 1000);
  }
  await device.close();
  return traffic;
}
