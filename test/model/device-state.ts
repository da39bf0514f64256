/** The state of a device of the model, and what the real decisions read in it. */
import type { ClientProgress, PullResponse } from '../../shared/protocol/pull.ts';
import type { PushRequest } from '../../shared/protocol/push.ts';
import { chainUpTo } from '../../client/outbox/model/chain.ts';
import type { OutboxContent } from '../../client/outbox/model/content.ts';
import { newDevice } from '../../client/outbox/model/device.ts';
import { needsNewIds } from '../../client/outbox/model/dependents/new-ids.ts';
import {
  isReplaced,
  toRefusedEntry,
  type OutboxEntry,
  type RefusedEntry,
  type SendableEntry,
} from '../../client/outbox/model/entry.ts';
import { applyPull, hasOtherEpoch } from '../../client/outbox/model/settling/apply-pull.ts';
import { settledSeqOf, type PulledState } from '../../client/outbox/model/settling/settlement.ts';
import type { Outbox } from '../../client/outbox/outbox.ts';
import { entriesToPush, type ServerSeq } from '../../client/sync/cycle/batch.ts';
import { SequenceCheck } from '../../client/sync/cycle/sequence-check.ts';
import { initialSyncState, type SyncState } from '../../client/sync/cycle/sync-state.ts';
import { isInBase } from '../../client/view/replay.ts';
import type { View } from '../../client/view/view.ts';
import { accountId, instant, type Pushed } from './server.ts';
import type { Variant } from './variant.ts';

/** `refused recording` is an upload to a map that no server has. */
export type MutationKind = 'recording' | 'change' | 'refused' | 'refused recording';

export interface Base {
  cursor?: { cursor: string; epoch: string };
  clients: Readonly<Record<string, ClientProgress>>;
  runIds: Readonly<Record<string, number>>;
}

export interface PushExchange {
  kind: 'push';
  request: PushRequest;
  entries: readonly SendableEntry[];
  clientId: string;
  answer?: Pushed['answer'];
}

interface ProbeExchange {
  kind: 'probe';
  request: PushRequest;
  answer?: Pushed['answer'];
}

export interface PullExchange {
  kind: 'pull';
  request: { cursor: string; clientId: string };
  replacesAll: boolean;
  /** The pages that came before the answer. */
  pages: readonly PullResponse[];
  answer?: PullResponse;
}

export interface Device {
  name: string;
  variant: Variant;
  /** Counts the ids that the device made, so that its next id depends on nothing else. */
  ids: number;
  content: OutboxContent;
  base: Base;
  /** The mutations that this device will make, by their numbers from 1 in the bound. */
  toMake: readonly number[];
  /** The marks of the mutations that the device has acknowledged to a person, in their order. */
  made: readonly string[];
  sync: SyncState;
  serverSeq?: ServerSeq | undefined;
  knowsServerSeq: boolean;
  mustPullAll: boolean;
  pullsMissingPushed: number;
  /** True from a start of the app until its first round, in which it shows what it stored. */
  isStarting: boolean;
  exchange?: PushExchange | ProbeExchange | PullExchange | undefined;
}

/** The parts of a device that a crash or the end of a tab takes away. */
export const atStart = {
  sync: { ...initialSyncState, phase: 'idle' },
  serverSeq: undefined,
  knowsServerSeq: false,
  mustPullAll: false,
  pullsMissingPushed: 0,
  isStarting: false,
  exchange: undefined,
} as const satisfies Partial<Device>;

export function openDevice(name: string, toMake: readonly number[], variant: Variant): Device {
  const ids = idsOf(name, 0);
  const device = { ...newDevice(ids), account_id: accountId };
  const content = { device, pending: [], forwarded: [], refused: [], receipts: [], discarded: [] };
  return { name, variant, ids: ids.count(), content, base: { clients: {}, runIds: {} }, toMake, made: [], ...atStart };
}

export function idsOf(name: string, count: number) {
  const uuid = () => `00000000-0000-4000-8000-${name.charCodeAt(0)}${String(count++).padStart(10, '0')}`;
  return { uuid, mapId: uuid, integer: () => 0, integers: () => [], count: () => count };
}

export const unpushed = (device: Device): SendableEntry[] =>
  entriesToPush(unsettled(device), { clientId: device.content.device.client_id, serverSeq: device.serverSeq });

/** `View.unsettled`: the forwarded entries whose effects no pull has brought, then the pending ones. */
export function unsettled({ content, base }: Device): SendableEntry[] {
  const settled = settledSeq({ content, base });
  const { client_id } = content.device;
  const isRestored = hasOtherEpoch(content, base.cursor?.epoch);
  const forwarded = content.forwarded.filter((entry) => isRestored || !isInBase(entry, base.cursor?.cursor));
  return [...forwarded, ...content.pending.filter((entry) => entry.client_id === client_id && entry.seq > settled)];
}

/** `View.refused`: those of the outbox, and pending ones that the last pull shows as refused. */
export function refusedByPull({ content, base }: Device): RefusedEntry[] {
  const settled = settledSeq({ content, base });
  const rejections = base.clients[content.device.client_id]?.rejections ?? [];
  const justRefused = rejections.flatMap(({ seq, error }) => {
    const entry = content.pending.find((pending) => pending.seq === seq && seq <= settled);
    return entry && !isReplaced(entry) ? [toRefusedEntry(entry, error)] : [];
  });
  return [...content.refused, ...justRefused.filter((entry) => !needsNewIds(entry))];
}

export const settledSeq = ({ content, base }: Pick<Device, 'content' | 'base'>): number =>
  settledSeqOf(base.clients[content.device.client_id], content.device);

export function settle(device: Device, pullEnd: Pick<PulledState, 'hasPullEnded'>): Device {
  const { base, content, variant } = device;
  if (!base.cursor) return device;
  const ids = idsOf(device.name, device.ids);
  const client = base.clients[content.device.client_id];
  const known = client && variant === 'forget a rejection' ? { ...client, rejections: [] } : client;
  const pulled: PulledState = { client: known, ...base.cursor, ...pullEnd };
  const after = applyPull(content, pulled, { ids, now: instant, serverNow: instant });
  return { ...device, content: variant === 'no receipts' ? { ...after, receipts: [] } : after, ids: ids.count() };
}

/** The real check on what it reads of the outbox and the view. */
export function sequenceCheck(device: Device): SequenceCheck {
  const { content, base } = device;
  const outbox = {
    device: content.device,
    identity: { refreshDevice: async () => content.device },
    readMissingMutations: async () => {},
    entries: (state: OutboxEntry['state']) => (state === 'pending' ? content.pending : []),
    sequence: { chainUpTo: (seq: number) => chainUpTo(content, seq) },
  } as unknown as Outbox;
  const client = base.clients[content.device.client_id];
  const view = { client, settledSeq: settledSeq(device), base } as unknown as View;
  return new SequenceCheck({ outbox, view, transport: {} as never });
}
