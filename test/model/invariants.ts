/** The invariants of the protocol by name, and what must hold once everything has drained. */
import { EMPTY, of } from 'rxjs';
import { custody$, type Custody } from '../../client/recording/custody.ts';
import { hasOtherEpoch } from '../../client/outbox/model/settling/apply-pull.ts';
import { settledSeqOf } from '../../client/outbox/model/settling/settlement.ts';
import { refusedByPull, unsettled, type Device } from './device-state.ts';
import { perPart } from './parts.ts';
import type { ModelState } from './state.ts';
import { markOf } from './server.ts';

const isRecording = (mark: string): boolean => /^[rn]/.test(mark);
const isRefused = (mark: string): boolean => /^[9n]/.test(mark);

export function violated(state: ModelState): string[] {
  return Object.entries(invariants).flatMap(([name, holds]) => (holds(state) ? [] : [name]));
}

const invariants: Record<string, (state: ModelState) => boolean> = {
  'each mutation is applied once, by copies too': ({ server }) =>
    new Set(server.applied).size === server.applied.length,

  'the mutations of a device are applied in their order': (state) =>
    state.devices.every(({ made }) => {
      const kept = made.filter((mark) => !wasTakenAway(state, mark));
      return isAscending(kept.map((mark) => state.server.applied.indexOf(mark)).filter((at) => at >= 0));
    }),

  'nothing acknowledged is lost': (state) => {
    const held = new Set([...state.server.applied, ...state.devices.flatMap(heldMarks)]);
    return state.devices.every(({ made }) => made.every((mark) => held.has(mark) || mayBeGone(state, mark)));
  },

  'what a device counts as settled is on the server or refused': (state) =>
    state.devices.every((device) => {
      const { content, base, made } = device;
      const isSettled = content.pending.length + content.forwarded.length === 0;
      if (!isSettled || base.cursor?.epoch !== String(state.server.epoch)) return true;
      const known = new Set([...state.server.applied, ...content.refused.map(markOf)]);
      return made.every((mark) => known.has(mark) || mayBeGone(state, mark));
    }),

  'custody is never premature': (state) =>
    state.devices.every((device) => {
      const { cursor } = device.base;
      const isPresent = cursor?.epoch === String(state.server.epoch);
      const applied = isPresent ? state.server.applied : (state.past[cursor?.epoch ?? ''] ?? []);
      return safeRecordings(device).every((mark) => applied.includes(mark));
    }),

  'the view shows each recording of the device': ({ devices }) => devices.every(showsEachRecording),
};

const showsEachRecording = perPart((device: Device): boolean => {
  const { base, made } = device;
  const lost = hasOtherEpoch(device.content, base.cursor?.epoch) ? device.content.receipts : [];
  const shown = new Set([...lost, ...unsettled(device), ...refusedByPull(device)].map(markOf));
  return made.every((mark) => !isRecording(mark) || mark in base.runIds || shown.has(mark));
});

const isAscending = (numbers: number[]): boolean =>
  numbers.every((at, index) => index === 0 || numbers[index - 1]! < at);

const heldMarks = perPart(({ content: { pending, forwarded, refused, receipts } }: Device): string[] =>
  [...pending, ...forwarded, ...refused, ...receipts].map(markOf),
);

/** A restored server lacks changes that were settled after the backup, since only recordings have receipts. */
const mayBeGone = ({ past }: ModelState, mark: string): boolean => mark.startsWith('c') && Object.keys(past).length > 0;

/**
 * A change that was settled before a restore is not sent again, since it has no receipt. If a copy still has it, it comes behind
 * what the device made after it.
 */
const wasTakenAway = ({ past }: ModelState, mark: string): boolean =>
  mark.startsWith('c') && Object.values(past).some((applied) => applied.includes(mark));

/** The recordings that the device calls safe on the server. */
const safeRecordings = perPart((device: Device): string[] =>
  device.made.filter((mark) => isRecording(mark) && custodyOf(device, mark) !== 'device'),
);

/** Returns what the real `custody$` emits for the present state of the device. */
function custodyOf(device: Device, session: string): Custody {
  const { content, base, variant } = device;
  const client = base.clients[content.device.client_id];
  const all = [...content.pending, ...content.forwarded, ...content.refused, ...content.receipts];
  const upload = content.pending.find((entry) => markOf(entry) === session);
  if (variant === 'custody when sent' && upload && upload.seq <= (content.device.offered_seq ?? 0)) return 'server';
  let custody: Custody = 'device';
  const isBlind = variant === 'custody of a refused recording';
  const refused = isBlind ? content.refused : refusedByPull(device);
  custody$(
    {
      view: {
        changed$: of(0),
        refused,
        unsettled: unsettled(device),
        base: { runIdOfSession: new Map(Object.entries(base.runIds)), cursor: base.cursor },
        client: isBlind && client ? { ...client, rejections: [] } : client,
        settledSeq: settledSeqOf(client, content.device),
      },
      outbox: {
        device: content.device,
        uploads: () => all.filter((entry) => markOf(entry) === session),
        entries: () => content.receipts,
      },
      recordings: { recording$: EMPTY, hasOpenDraft: () => false },
    } as unknown as Parameters<typeof custody$>[0],
    session,
  ).subscribe((emitted) => (custody = emitted));
  return custody;
}

/** Liveness: what a system at rest, without further faults, still owes. */
export function undrained(state: ModelState): string[] {
  const { devices, server } = state;
  const owed = devices.flatMap((device) => {
    const { content, made, name } = device;
    const waiting = [...content.pending, ...content.forwarded].map((entry) => `${name} still sends ${markOf(entry)}`);
    const refusedHere = new Set(content.refused.map(markOf));
    const lost = made.filter((mark) => {
      if (isRefused(mark)) return !refusedHere.has(mark);
      return !server.applied.includes(mark) && !mayBeGone(state, mark);
    });
    const unseen = server.runs.filter(({ recording_session_id }) => !(recording_session_id in device.base.runIds));
    return [
      ...waiting,
      ...lost.map((mark) => `the server or the person lacks ${mark} of ${name}`),
      ...unseen.map(({ recording_session_id }) => `${name} does not show ${recording_session_id}`),
    ];
  });
  return owed;
}
