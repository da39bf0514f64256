/** Judges an idle fleet: nothing is lost or doubled, the order is kept, and every device equals the server. */
import { isDeepStrictEqual } from 'node:util';
import type { Attention } from '../../../client/client.ts';
import type { FleetDevice } from './device.ts';
import { expectLikeServer, expectRestLikePull } from './likeness.ts';
import { pullContent, type ServerContent } from './server-content.ts';
import { syncWithAccess } from './settle.ts';
import { describe, isItself, isOf, isSame, recordingKey, type Work } from './works.ts';
import type { World } from './world.ts';

/** Work under way is not lost, so a fleet that never became idle is reported for that alone. */
export async function judge(world: World, { isQuiet }: { isQuiet: boolean }): Promise<void> {
  const attention: (Attention & { on: string })[] = [];
  const content = await pullContent(world);
  for (const device of world.devices) {
    await syncWithAccess(world, device);
    const needed = (await device.show(({ attention$ }) => attention$)) ?? [];
    attention.push(...needed.map((one) => ({ ...one, on: device.name })));
    if (isQuiet) await expectLikeServer(world, device, content);
  }
  await expectRestLikePull(world, content);
  if (isQuiet) expectEachRecordingOnce(world, { content, attention });
  await expectCustody(world, content);
  if (isQuiet) expectEachEdit(world, attention);
  for (const device of world.devices) expectOrder(world, device, attention);
  expectTrueReasons(world, attention);
  for (const number of world.log.foreignAnswers) world.fail("another's answer", `to ${number}`);
  for (const bug of world.server.bugs) world.fail('server error', bug);
}

function expectEachRecordingOnce(
  world: World,
  { content, attention }: { content: ServerContent; attention: Attention[] },
): void {
  const runs = new Map<string, number>();
  for (const { recording_session_id, steps } of content.runs) {
    const key = recordingKey(recording_session_id, steps);
    runs.set(key, (runs.get(key) ?? 0) + 1);
  }
  const held = new Set(world.devices.flatMap((device) => device.works));
  for (const work of world.works) {
    if (work.deed.kind !== 'recording') continue;
    const count = runs.get(recordingKey(work.deed.session, work.deed.steps)) ?? 0;
    const isRefused = attention.some((one) => isOf(work, one));
    if (count > 1) world.fail('doubled recording', `${describe(work)} is ${count} runs`);
    if (count === 0 && held.has(work) && !work.isGivenUp && !isRefused) world.fail('lost recording', describe(work));
  }
}

async function expectCustody(world: World, { runs }: ServerContent): Promise<void> {
  const stands = new Set(runs.map((run) => recordingKey(run.recording_session_id, run.steps)));
  for (const device of world.devices) {
    for (const work of device.works) {
      const { deed } = work;
      if (deed.kind !== 'recording' || work.isGivenUp) continue;
      const custody = await device.show((gemba) => gemba.custody$(deed.session));
      if (custody === 'server' && !stands.has(recordingKey(deed.session, deed.steps))) {
        world.fail('custody false', `${device.name} says at rest that the server has ${describe(work)}`);
      }
    }
  }
}

/** Every change was applied at some time or needs attention. */
function expectEachEdit(world: World, attention: Attention[]): void {
  const { entries } = world.log;
  const held = new Set(world.devices.flatMap((device) => device.works));
  for (const work of held) {
    if (work.deed.kind === 'recording' || work.isGivenUp) continue;
    const isTimed = work.deed.kind === 'timed';
    if (isTimed && work.isRemade) continue;
    const isDone = entries.some(({ mutation, status }) => (isTimed || status === 'applied') && isOf(work, mutation));
    if (!isDone && !attention.some((one) => isOf(work, one))) world.fail('lost edit', describe(work));
  }
}

/** The server applied the work in the order of the device, except for refused work that was made again. */
function expectOrder(world: World, device: FleetDevice, attention: Attention[]): void {
  let last: { work: Work; at: number } | undefined;
  const made = device.memory.made;
  for (const [index, work] of made.entries()) {
    // A device that was rolled back may finish the same recording again.
    if (made.slice(0, index).some((earlier) => isDeepStrictEqual(earlier.deed, work.deed))) continue;
    // A copy that cannot learn the outcome leaves the work to a person and goes on.
    if (attention.some((one) => isOf(work, one))) continue;
    const of = world.log.entries.flatMap(({ mutation, status }, at) =>
      isItself(work, mutation) ? [{ at, status }] : [],
    );
    const first = of[0];
    if (!first || of.some(({ status }) => status === 'rejected') || work.isRemade) continue;
    if (last && first.at < last.at) {
      world.fail('out of order', `${describe(work)} came before ${describe(last.work)}`);
    }
    last = { work, at: first.at };
  }
}

/** An item in attention was refused itself, and not other work under its number. */
function expectTrueReasons(world: World, attention: (Attention & { on: string })[]): void {
  for (const refused of attention) {
    if (refused.error.title === 'The outcome is not known') continue;
    const isRefused = world.log.entries.some(
      ({ mutation, status }) => status === 'rejected' && isSame(mutation, refused),
    );
    if (!isRefused) {
      world.fail(
        'wrong reason',
        `${refused.on} shows ${refused.name} as refused (${refused.error.code}), which it was not`,
      );
    }
  }
}
