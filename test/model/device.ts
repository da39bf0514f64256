/**
 * A device of the model: the real state machine of the sync, and the real decisions about the outbox, the numbers, the
 * chain and the answers. Each step is what the device does between two waits for the network, as one write.
 *
 * Abstractions: one tab, no first pull that is written page by page, no effects in the answer to a push (a device that computes them only skips the
 * pull), no draft and no journal. `startPush` and `sendBatch` here, and receive.ts, retell `Pusher` and `Puller` around these decisions.
 */
import type { PushRequest } from '../../shared/protocol/push.ts';
import { appendMutations } from '../../client/outbox/model/appending.ts';
import { chainUpTo } from '../../client/outbox/model/chain.ts';
import type { NewMutation } from '../../client/outbox/model/mutation.ts';
import { forkSequence } from '../../client/outbox/model/sequence/fork.ts';
import { resendAll } from '../../client/outbox/model/sequence/numbering.ts';
import { nextBatch, toPushedMutation } from '../../client/sync/cycle/batch.ts';
import { SyncError, type SyncFailure } from '../../client/sync/cycle/failure/sync-failure.ts';
import { next } from '../../client/sync/cycle/machine.ts';
import type { PushRecovery, SyncEvent, SyncState } from '../../client/sync/cycle/sync-state.ts';
import {
  atStart,
  idsOf,
  sequenceCheck,
  settle,
  settledSeq,
  unpushed,
  type Device,
  type MutationKind,
} from './device-state.ts';
import { accountId, instant, mapId, markOf, unknownMapId } from './server.ts';

/** The rows of the original under another name; a copy makes other ids from then on. */
export const copyOf = (original: Device, name: string, toMake: readonly number[]): Device =>
  restart({ ...original, name, ids: 0, toMake });

export const restart = (device: Device): Device => ({ ...device, ...atStart, isStarting: true });

export const beginRound = (device: Device): Promise<Device> =>
  dispatch({ ...device, isStarting: false }, { type: 'timer' });

/** Makes the next of the mutations that are left to the device; undefined if none is. */
export async function tap(device: Device, kinds: readonly MutationKind[]): Promise<Device | undefined> {
  const [number = 0, ...toMake] = device.toMake;
  const kind = kinds[number - 1];
  if (!kind) return undefined;
  const steps = [{ stage_name: 'Stage', order: 1, duration_secs: 1 }];
  const recording_session_id = `r${number}`;
  const mutations: Record<MutationKind, NewMutation> = {
    recording: { name: 'upload_recording', args: { map_id: mapId, recording_session_id, steps } },
    change: { name: 'update_map', args: { map_id: mapId, name: `c${number}` } },
    refused: { name: 'delete_stage', args: { map_id: mapId, stage_id: 900 + number } },
    'refused recording': {
      name: 'upload_recording',
      args: { map_id: unknownMapId, recording_session_id: `n${number}`, steps },
    },
  };
  const mutation = mutations[kind];
  const { content } = device;
  const appended = appendMutations(content.device, [mutation], instant);
  const pending = [...content.pending, ...appended.entries];
  const after = {
    ...device,
    content: { ...content, device: appended.device, pending },
    toMake,
    made: [...device.made, markOf(mutation)],
  };
  return device.isStarting ? after : dispatch(after, { type: 'roundDue' });
}

export async function dispatch(before: Device, event: SyncEvent): Promise<Device> {
  const { state, effects } = next(before.sync, event);
  let device: Device = { ...before, sync: withoutCounts(state) };
  for (const effect of effects) {
    if (effect.do === 'push') device = await startPush(device, effect.first);
    else if (effect.do === 'pull')
      device = startPull({ ...device, mustPullAll: device.mustPullAll || effect.all === true });
    else if (effect.do === 'abort') device = { ...device, exchange: undefined };
  }
  return device;
}

/** Counts that only lengthen a wait, and texts for a person, do not tell states apart. */
const withoutCounts = (state: SyncState): SyncState => ({
  ...state,
  failures: 0,
  blockedTries: 0,
  stalls: 0,
  error: null,
});

export const fail = (device: Device, failure: SyncFailure): Promise<Device> =>
  dispatch({ ...device, exchange: undefined }, { type: 'failed', failure, random: 0 });

export async function attempt(device: Device, work: () => Promise<Device>): Promise<Device> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SyncError) return fail(device, error.failure);
    throw error;
  }
}

function startPush(before: Device, first: PushRecovery | undefined): Promise<Device> {
  const device = settle(recover(before, first), {});
  return attempt(device, async () => {
    if (unpushed(device).length === 0) return dispatch(device, { type: 'pushed', more: false, wasAnswered: false });
    sequenceCheck(device).requireAgreementAfterPull();
    if (device.knowsServerSeq || !device.base.cursor) return sendBatch(device);
    const { client_id, offered_seq = 0 } = device.content.device;
    const head = { client_id, account_id: accountId, acked_seq: settledSeq(device), mutations: [] };
    const isUnchecked = device.variant === 'skip the chain check';
    return { ...device, exchange: { kind: 'probe', request: isUnchecked ? head : { ...head, offered_seq } } };
  });
}

function recover(device: Device, recovery: PushRecovery | undefined): Device {
  const { content } = device;
  const ids = idsOf(device.name, device.ids);
  if (recovery?.kind === 'resendAll' && content.device.client_id === recovery.clientId) {
    return { ...device, content: resendAll(content, ids.uuid()), ids: ids.count() };
  }
  if (recovery?.kind === 'forkSequence') {
    const clients = [content.device, ...content.forwarded];
    const isKnown = clients.some(({ client_id }) => client_id === recovery.conflict.client_id);
    if (isKnown) return { ...device, content: forkSequence(content, recovery.conflict, ids.uuid()), ids: ids.count() };
  }
  return device;
}

export async function sendBatch(before: Device): Promise<Device> {
  const { content } = before;
  const batch = nextBatch(unpushed(before), Infinity);
  const [first] = batch.entries;
  if (!first) return dispatch(before, { type: 'pushed', more: false, wasAnswered: false });
  const { client_id, seq } = first;
  const clientId = content.device.client_id;
  const mutations = await Promise.all(batch.entries.map(toPushedMutation));
  const common = {
    client_id,
    account_id: accountId,
    mutations: before.variant === 'reorder the outbox' ? swapped(mutations) : mutations,
  };
  if (first.state === 'forwarded') {
    const request = { ...common, carried: true, acked_seq: 0 };
    return { ...before, exchange: { kind: 'push', request, entries: batch.entries, clientId } };
  }
  const offered_seq = content.device.offered_seq ?? 0;
  const chain = await chainUpTo(content, seq - 1);
  const sentSeq = Math.max(offered_seq, batch.entries.at(-1)?.seq ?? seq);
  const device = { ...before, content: { ...content, device: { ...content.device, offered_seq: sentSeq } } };
  const isUnchecked = before.variant === 'skip the chain check';
  const proof = isUnchecked ? {} : { offered_seq, ...(chain === undefined ? {} : { chain }) };
  const request = { ...common, acked_seq: settledSeq(device), ...proof };
  return { ...device, exchange: { kind: 'push', request, entries: batch.entries, clientId } };
}

/** Exchanges the contents of the first and the last mutation. */
function swapped(mutations: PushRequest['mutations']): PushRequest['mutations'] {
  const reversed = mutations.toReversed();
  return mutations.map(({ seq }, index) => ({ ...reversed[index], seq }));
}

const startPull = (device: Device): Device => pullExchange(device, device.mustPullAll);

export function pullExchange(device: Device, replacesAll: boolean): Device {
  const cursor = replacesAll ? '' : (device.base.cursor?.cursor ?? '');
  return {
    ...device,
    exchange: { kind: 'pull', request: { cursor, clientId: device.content.device.client_id }, replacesAll, pages: [] },
  };
}
