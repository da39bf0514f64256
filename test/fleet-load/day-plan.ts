/**
 * Plans a day of field work for all devices, from a seed. The day is shorter than a real one, so its requests come more
 * densely; only the polls keep their 60 s.
 *
 *   0 ── shift start ── 0.1 ── morning ── 0.45 ── break ── 0.55 ── afternoon ── 0.85 ── shift end ── 1
 *        open the app          record, some       bursts           record, some         bursts,
 *        and pull              without network                     without network      last sync
 */
import { randomBelow, randomOf, type Random } from '../random.ts';

export type Act = 'start' | 'record' | 'disconnect' | 'connect' | 'poll' | 'end';

export interface PlannedAct {
  /** Milliseconds since the start of the day. */
  atMs: number;
  device: number;
  act: Act;
}

export interface Day {
  devices: number;
  dayMs: number;
  recordingsPerDevice: number;
  seed: number;
}

/** The phases of the day by the share of it at which each ends. */
export const phaseEnds = { 'shift start': 0.1, morning: 0.45, break: 0.55, afternoon: 0.85, 'shift end': 1 } as const;
export type Phase = keyof typeof phaseEnds;
export const phases = Object.keys(phaseEnds) as Phase[];

/** An idle device pulls after this time, since an event can be lost. */
const pollMs = 60_000;
/** The share of polls that happen: the app of a phone in a pocket sleeps. */
const awakeShare = 0.2;
/** The share of devices that work without a network all morning and all afternoon. */
const offlineShare = 0.3;
/** The share of the other devices that lose the network once. */
const interruptedShare = 0.3;
const streamEvery = 10;
const wearableEvery = 4;

/** One device in ten holds an event stream open. */
export const watchesEvents = (device: number): boolean => device % streamEvery === 3;
/** One device in four is a watch, which pulls maps alone. */
export const isWearable = (device: number): boolean => device % wearableEvery === 1;

/** Returns the acts of all devices in the order of time. */
export function planDay(day: Day): PlannedAct[] {
  const random = randomOf(day.seed);
  const acts: PlannedAct[] = [];
  for (let device = 0; device < day.devices; device++) planDevice(device, day, random, acts);
  return acts.toSorted((one, other) => one.atMs - other.atMs);
}

function planDevice(device: number, { dayMs, recordingsPerDevice }: Day, random: Random, acts: PlannedAct[]): void {
  const plan = (act: Act, share: number) => acts.push({ atMs: Math.round(share * dayMs), device, act });
  const between = (from: number, to: number) => from + random() * (to - from);
  const startsAt = between(0, phaseEnds['shift start']);
  const endsAt = between(phaseEnds.afternoon, phaseEnds['shift end']);
  plan('start', startsAt);
  for (let made = 0; made < recordingsPerDevice; made++) {
    const isMorning = random() < 0.5;
    plan('record', isMorning ? between(0.1, phaseEnds.morning) : between(phaseEnds.break, phaseEnds.afternoon));
  }
  if (random() < offlineShare) {
    plan('disconnect', phaseEnds['shift start']);
    plan('connect', between(phaseEnds.morning, 0.5));
    plan('disconnect', phaseEnds.break);
  } else if (random() < interruptedShare) {
    const lostAt = between(phaseEnds['shift start'], 0.7);
    plan('disconnect', lostAt);
    plan('connect', lostAt + between(0.02, 0.1));
  }
  if (!watchesEvents(device)) planPolls({ startMs: startsAt * dayMs, endMs: endsAt * dayMs, device }, random, acts);
  plan('end', endsAt);
}

function planPolls(
  { startMs, endMs, device }: { startMs: number; endMs: number; device: number },
  random: Random,
  acts: PlannedAct[],
): void {
  for (let atMs = startMs + pollMs - randomBelow(random, 5_000); atMs < endMs; atMs += pollMs) {
    if (random() < awakeShare) acts.push({ atMs: Math.round(atMs), device, act: 'poll' });
  }
}

/** Returns the phase of a moment of the day. What comes after the day belongs to its last phase. */
export function phaseAt(atMs: number, dayMs: number): Phase {
  return phases.find((phase) => atMs < phaseEnds[phase] * dayMs) ?? 'shift end';
}
