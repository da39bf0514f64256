/** Judges an idle fleet: nothing is lost or doubled, the order is kept, and every device equals the server. */
import { isDeepStrictEqual } from 'node:util';
import type { Attention } from '../../../client/client.ts';
import { expectAtRest } from '../checks/at-rest.ts';
import { expectModel } from '../checks/expect-model.ts';
import type { FleetDevice } from './device.ts';
import { expectDeviceEqualsServer, expectRestEqualToPull } from './server-comparison.ts';
import { syncWithAccess } from './settle.ts';
import { pullContent, type ServerContent } from './server-content.ts';
import { describe, isExactly, matchesWork, hasSameContent, recordingKey, type Work } from './works.ts';
import type { Simulation } from './simulation.ts';

/** Adds a failure for each broken promise. Checks that would call unsent work lost run only if the fleet became idle. */
export async function judgeFleet(simulation: Simulation, { isQuiet }: { isQuiet: boolean }): Promise<void> {
  const attention: (Attention & { on: string })[] = [];
  const content = await pullContent(simulation);
  for (const device of simulation.devices) {
    await syncWithAccess(simulation, device);
    const needed = (await device.show(({ attention$ }) => attention$)) ?? [];
    attention.push(...needed.map((one) => ({ ...one, on: device.name })));
    for (const tab of isQuiet ? device.tabs.all : []) {
      device.tabs.use(tab);
      await expectDeviceEqualsServer(simulation, device, content);
    }
  }
  simulation.explain();
  await expectRestEqualToPull(simulation, content);
  expectModel(simulation, content);
  if (isQuiet) expectEachRecordingOnce(simulation, { content, attention });
  await expectCustody(simulation, content);
  if (isQuiet) expectEachEdit(simulation, attention);
  for (const device of simulation.devices) expectOrder(simulation, device, attention);
  expectOwnRefusals(simulation, attention);
  if (isQuiet) await expectAtRest(simulation, content);
  for (const number of simulation.log.foreignAnswers) simulation.fail("another's answer", `to ${number}`);
  for (const bug of simulation.server.bugs) simulation.fail('server error', bug);
}

function expectEachRecordingOnce(
  simulation: Simulation,
  { content, attention }: { content: ServerContent; attention: Attention[] },
): void {
  const runs = new Map<string, number>();
  for (const { recording_session_id, steps } of content.runs) {
    const key = recordingKey(recording_session_id, steps);
    runs.set(key, (runs.get(key) ?? 0) + 1);
  }
  const held = new Set(simulation.devices.flatMap((device) => device.works));
  for (const work of simulation.works) {
    if (work.identity.kind !== 'recording') continue;
    const count = runs.get(recordingKey(work.identity.session, work.identity.steps)) ?? 0;
    const isRefused = attention.some((one) => matchesWork(work, one));
    if (count > 1) simulation.fail('doubled recording', `${describe(work)} is ${count} runs`);
    if (count === 0 && held.has(work) && !work.isGivenUp && !isRefused)
      simulation.fail('lost recording', describe(work));
  }
}

async function expectCustody(simulation: Simulation, { runs }: ServerContent): Promise<void> {
  const stands = new Set(runs.map((run) => recordingKey(run.recording_session_id, run.steps)));
  for (const device of simulation.devices) {
    for (const work of device.works) {
      const { identity } = work;
      if (identity.kind !== 'recording' || work.isGivenUp) continue;
      const custody = await device.show((gemba) => gemba.custody$(identity.session));
      if (custody === 'server' && !stands.has(recordingKey(identity.session, identity.steps))) {
        simulation.fail('custody false', `${device.name} says at rest that the server has ${describe(work)}`);
      }
    }
  }
}

/** Every change was applied at some time or needs attention. */
function expectEachEdit(simulation: Simulation, attention: Attention[]): void {
  const { entries } = simulation.log;
  const held = new Set(simulation.devices.flatMap((device) => device.works));
  for (const work of held) {
    if (work.identity.kind === 'recording' || work.isGivenUp) continue;
    const isTimed = work.identity.kind === 'timed';
    if (isTimed && work.isRemade) continue;
    const isDone = entries.some(
      ({ mutation, status }) => (isTimed || status === 'applied') && matchesWork(work, mutation),
    );
    if (!isDone && !attention.some((one) => matchesWork(work, one))) simulation.fail('lost edit', describe(work));
  }
}

/** The server applied the work in the order of the device, except for refused work that was made again. */
function expectOrder(simulation: Simulation, device: FleetDevice, attention: Attention[]): void {
  let last: { work: Work; at: number } | undefined;
  const made = device.memory.made;
  for (const [index, work] of made.entries()) {
    // A device that was rolled back may finish the same recording again.
    if (made.slice(0, index).some((earlier) => isDeepStrictEqual(earlier.identity, work.identity))) continue;
    if (work.identity.kind === 'timed' && work.identity.isUnsure) continue;
    // A copy that cannot learn the outcome leaves the work to a person and goes on.
    if (attention.some((one) => matchesWork(work, one))) continue;
    const of = simulation.log.entries.flatMap(({ mutation, status }, at) =>
      isExactly(work, mutation) ? [{ at, status }] : [],
    );
    // Copies may finish one recording each, and the first of them decides its place.
    const isOfSeveral = simulation.works.some((one) => one !== work && isDeepStrictEqual(one.identity, work.identity));
    const first = isOfSeveral ? of.find(({ at }) => at > (last?.at ?? -1)) : of[0];
    if (!first || of.some(({ status }) => status === 'rejected') || work.isRemade) continue;
    if (last && first.at < last.at) {
      simulation.fail('out of order', `${describe(work)} came before ${describe(last.work)}`);
    }
    last = { work, at: first.at };
  }
}

const wasApplied = ({ log }: Simulation, refused: Attention): boolean =>
  log.standing.some(
    ({ mutation, status }) =>
      status === 'applied' && mutation.recorded_at === refused.recorded_at && hasSameContent(mutation, refused),
  );

/** A copy may bring by another way what something refused on the way of this device. */
const isOnOthers = ({ devices }: Simulation, refused: Attention & { on: string }): boolean =>
  devices.some(({ name, works }) => name !== refused.on && works.some((work) => matchesWork(work, refused)));

/** An item in attention was refused itself, and not other work under its number. */
function expectOwnRefusals(simulation: Simulation, attention: (Attention & { on: string })[]): void {
  for (const refused of attention) {
    if (refused.error.title === 'The outcome is not known') continue;
    // Something on the way refused it, by a forged 403 or 413.
    const isForged =
      refused.error.title === 'Refused on the way to the server' || refused.error.code === 'payload_too_large';
    if (isForged && simulation.hasForged) {
      if (wasApplied(simulation, refused) && !isOnOthers(simulation, refused)) {
        const shown = `${refused.on} shows ${refused.name} as refused (${refused.error.code})`;
        simulation.fail('wrong reason', `${shown}, which the server has`);
      }
      continue;
    }
    const isRefused = simulation.log.entries.some(
      ({ mutation, status }) => status === 'rejected' && hasSameContent(mutation, refused),
    );
    if (!isRefused) {
      simulation.fail(
        'wrong reason',
        `${refused.on} shows ${refused.name} as refused (${refused.error.code}), which it was not`,
      );
    }
  }
}
