/**
 * The server of the model: the real `push`, with its working set and `apply`, on rows in memory. A push is one step, since
 * the store commits it as a whole. The rows are never changed in place, so a backup is the state itself.
 */
import { operatorActor } from '../../server/core/caller.ts';
import type { PullResponse } from '../../shared/protocol/pull.ts';
import type { PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { newMap } from '../../shared/domain/map.ts';
import type { Applied } from '../../shared/domain/state.ts';
import type { RefusedRequest } from '../../server/core/reply.ts';
import type { AccountQueue } from '../../server/mutate/account-queue.ts';
import { WorkingSet, type MutationOrigin } from '../../server/mutate/working-set/working-set.ts';
import { accountLimitsDefault } from '../../server/store/account-limits.ts';
import type { AccountRow } from '../../server/store/account-row.ts';
import type { ClientRow } from '../../server/store/rows/client-row.ts';
import type { RunRow } from '../../server/store/rows/documents.ts';
import type { AnswerWithDigest } from '../../server/store/rows/push-answers.ts';
import type { Store } from '../../server/store/store.ts';
import type { AppliedMutationRow, LoadedRows, ReadSet, RecordWrites } from '../../server/store/transaction.ts';
import type { ClientOwners } from '../../server/sync/client-owners.ts';
import { formatCursor, parseCursor } from '../../server/sync/cursor.ts';
import { push } from '../../server/sync/push.ts';
import type { Variant } from './variant.ts';

export const accountId = '00000000-0000-4000-8000-000000000001';
export const mapId = '00000000-0000-4000-8000-000000000002';
/** The map that every server lacks. */
export const unknownMapId = '00000000-0000-4000-8000-000000000003';
export const instant = '2026-01-01T00:00:00.000Z';

type Rejections = ClientRow['newRejections'];

export interface ServerState {
  epoch: number;
  account: AccountRow;
  maps: readonly MapDoc[];
  runs: readonly RunRow[];
  clients: readonly ClientRow[];
  rejections: Readonly<Record<string, Rejections>>;
  answers: Readonly<Record<string, readonly AnswerWithDigest[]>>;
  stored: readonly AppliedMutationRow[];
  /** The marks of the mutations that were applied, in their order. A repeated upload changes nothing and is left out. */
  applied: readonly string[];
}

export const newServer = (): ServerState => ({
  epoch: 1,
  account: {
    id: accountId,
    created_at: instant,
    name: '',
    plan: 'team',
    additional_seats: 0,
    seats_limited: false,
    version: 1,
    next_id: 1,
    live_maps: 1,
    revocations: 0,
    bytes: 0,
    was_restored: false,
    keys_made: 0,
    key_bytes_made: 0,
  },
  maps: [{ ...newMap(mapId, { name: 'Map' }, instant), version: 1, created_version: 1 }],
  runs: [],
  clients: [],
  rejections: {},
  answers: {},
  stored: [],
  applied: [],
});

/** A restored backup has a new epoch, and versions above all that the replaced store gave (`Store.renewEpoch`). */
export const restored = (backup: ServerState, replaced: ServerState): ServerState => ({
  ...backup,
  epoch: replaced.epoch + 1,
  account: { ...backup.account, was_restored: true, version: replaced.account.version + 10 },
});

/** Names a mutation by what it carries: a recording by its session, a rename by the name. */
export function markOf({ name, args }: { name: string; args: object }): string {
  const { recording_session_id, name: newName, stage_id } = args as Record<string, unknown>;
  return name === 'update_map' ? String(newName) : String(recording_session_id ?? stage_id);
}

class LoggingSet extends WorkingSet {
  readonly applied: string[] = [];

  override putOutcome(outcome: Applied, mutation: Mutation, origin: MutationOrigin) {
    if (!outcome.affectedIds.isRepeatedUpload) this.applied.push(markOf(mutation));
    return super.putOutcome(outcome, mutation, origin);
  }
}

export interface Pushed {
  server: ServerState;
  answer: { ok: true; response: PushResponse } | RefusedRequest;
}

export async function servePush(before: ServerState, request: PushRequest, variant: Variant): Promise<Pushed> {
  let server = variant === 'no dedupe' ? withoutNumbers(before, request) : before;
  const write: AccountQueue['write'] = async (_token, unit) => {
    const { readSet } = unit;
    const set = new LoggingSet(loadRows(server, readSet), readSet, accountLimitsDefault);
    const result = unit.run(set, instant);
    const after = saveRows(server, set.writes(), set.applied);
    server = variant === 'forget what was applied' ? { ...after, stored: [] } : after;
    return result;
  };
  const pushAnswers: Store['pushAnswers'] = async (_account, { clientId, from, to }) =>
    (server.answers[clientId] ?? []).filter(({ seq }) => from <= seq && seq <= to);
  // The owner of a client is not modelled, since all devices belong to one account and keep their tokens.
  const owners = { claim: async () => ({ ok: true, isNew: false }) } as unknown as ClientOwners;
  const services = {
    store: { pushAnswers } as Partial<Store> as Store,
    queue: { write },
    owners,
    world: { now: () => Date.parse(instant), randomBytes: () => new Uint8Array(16) },
  };
  const caller = {
    accountId,
    deviceId: null,
    scopes: ['write'],
    tokenHash: '',
    actor: operatorActor,
  } satisfies Parameters<typeof push>[1];
  const answer = await push(services, caller, request);
  return { server: variant === 'acknowledge before the commit' ? before : server, answer };
}

/** Forgets that the numbers of the push were used. */
function withoutNumbers(server: ServerState, { client_id, mutations, chain }: PushRequest): ServerState {
  const first = mutations[0]?.seq;
  if (first === undefined) return server;
  const forget = (row: ClientRow): ClientRow =>
    row.client_id === client_id && row.last_seq >= first
      ? { ...row, last_seq: first - 1, chain: chain ?? row.chain }
      : row;
  return { ...server, clients: server.clients.map(forget) };
}

function loadRows(server: ServerState, readSet: ReadSet): LoadedRows {
  const clients = server.clients.filter(({ client_id }) => readSet.clientIds.includes(client_id));
  return {
    account: server.account,
    maps: server.maps.filter(({ id }) => readSet.mapIds.includes(id)),
    runs: [],
    runsWithSteps: server.runs.filter((run) => readSet.recordingSessionIds.includes(run.recording_session_id)),
    takenStageIds: [],
    appliedMutations: server.stored.filter(({ digest }) => readSet.mutationDigests.includes(digest)),
    clients: clients.map((row) => ({
      ...row,
      rejectedSeqs: (server.rejections[row.client_id] ?? []).map(({ seq }) => seq),
      newRejections: [],
    })),
    idempotentReplies: [],
    clientCounts: [],
    rejectionCounts: [],
    revokedTokens: [],
  };
}

function saveRows(server: ServerState, writes: RecordWrites | undefined, applied: readonly string[]): ServerState {
  if (!writes) return server;
  const replaced = <Row>(rows: readonly Row[], written: readonly Row[], keyOf: (row: Row) => unknown): Row[] => [
    ...rows.filter((row) => !written.some((other) => keyOf(other) === keyOf(row))),
    ...written,
  ];
  const rejections = { ...server.rejections };
  for (const { client_id, acked_seq, newRejections } of writes.clients) {
    const kept = (rejections[client_id] ?? []).filter(({ seq }) => seq > acked_seq);
    rejections[client_id] = [...kept, ...newRejections];
  }
  const answers = { ...server.answers };
  for (const one of writes.pushAnswers) {
    answers[one.client_id] = replaced(answers[one.client_id] ?? [], one.answers, ({ seq }) => seq);
  }
  return {
    ...server,
    account: { ...server.account, ...writes.account },
    maps: replaced(server.maps, writes.maps, ({ id }) => id),
    runs: replaced(server.runs, writes.runs, ({ id }) => id),
    clients: replaced(server.clients, writes.clients, ({ client_id }) => client_id),
    rejections,
    answers,
    stored: replaced(server.stored, writes.appliedMutations, ({ digest }) => digest),
    applied: [...server.applied, ...applied],
  };
}

/** Answers a pull with at most `pageMax` changes. The model leaves out the maps, on which nothing depends. */
export function servePull(
  server: ServerState,
  { cursor, clientId }: { cursor: string; clientId: string },
  pageMax: number,
): PullResponse {
  const after = parseCursor(cursor)?.version ?? 0;
  const runs = server.runs.flatMap(({ id, version, doc }) =>
    doc ? [{ kind: 'run' as const, id, version, deleted: false, doc }] : [],
  );
  const clients = server.clients
    .filter(({ client_id }) => client_id === clientId)
    .map(({ version, last_seq, acked_seq, chain }) => {
      const rejections = server.rejections[clientId] ?? [];
      return {
        kind: 'client' as const,
        id: clientId,
        version,
        deleted: false,
        doc: { last_seq, acked_seq, chain, rejections },
      };
    });
  const changes = [...runs, ...clients]
    .filter(({ version }) => version > after)
    .toSorted((a, b) => a.version - b.version);
  const page = changes.slice(0, pageMax);
  const has_more = page.length < changes.length;
  return {
    changes: page,
    cursor: has_more ? formatCursor({ version: page.at(-1)?.version ?? after }) : cursorOf(server),
    has_more,
    epoch: String(server.epoch),
    account_id: accountId,
  };
}

export const cursorOf = ({ account }: ServerState): string => formatCursor({ version: account.version });
