import { expect, test } from 'vitest';
import { VirtualTime } from './virtual-time.ts';
import { Trace } from './trace.ts';

test('[SIM-12] timers fire in the order of their times, each after the work of the one before', async () => {
  const time = new VirtualTime();
  const [phone, watch] = [time.timers(), time.timers()];
  const order: string[] = [];
  phone.schedule(3_000, () => order.push('phone at 3 s'));
  watch.schedule(1_000, () => {
    order.push('watch at 1 s');
    watch.schedule(1_000, () => order.push('watch at 2 s'));
  });
  const cancel = phone.schedule(500, () => order.push('never'));
  cancel();
  await time.pass(2_500, async () => void order.push('settled'));
  expect(order).toEqual(['watch at 1 s', 'settled', 'watch at 2 s', 'settled']);
  await time.pass(1_000, async () => {});
  expect(order.at(-1)).toBe('phone at 3 s');
});

test('[SIM-12] no timer fires of a device that ended or is frozen', async () => {
  const time = new VirtualTime();
  const [ended, frozen] = [time.timers(), time.timers()];
  const fired: string[] = [];
  ended.schedule(10, () => fired.push('ended'));
  frozen.schedule(10, () => fired.push('frozen'));
  ended.end();
  frozen.isFrozen = true;
  await time.pass(1_000, async () => {});
  expect(fired).toEqual([]);
  frozen.isFrozen = false;
  await time.pass(1, async () => {});
  expect(fired).toEqual(['frozen']);
});

test('[SIM-11] a line of a trace has the virtual time, who and what', () => {
  const time = new VirtualTime();
  const trace = new Trace(time);
  trace.add('A', 'taps t1');
  time.jump(26 * 3_600_000 + 1_234);
  trace.add('server', 'dies after transact');
  expect(trace.lines).toEqual(['0d 00:00:00.000 A        taps t1', '1d 02:00:01.234 server   dies after transact']);
});

test('[SIM-24] the virtual clock shows whole milliseconds, whatever the waits', async () => {
  const time = new VirtualTime();
  const shown: number[] = [];
  time.timers().schedule(517.910_789, () => shown.push(time.now()));
  await time.pass(1_000, async () => void shown.push(time.now()));
  expect(shown.map((now) => now % 1)).toEqual([0, 0]);
});
