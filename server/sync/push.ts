/** `POST /sync/push`: each mutation of a device becomes exactly one answer, now or remembered. */
import type { Refusal } from '../../shared/protocol/problem.ts';
import {
  MutationEnvelope,
  type MutationAnswer,
  type PushedMutation,
  type PushRequest,
  type PushResponse,
} from '../../shared/protocol/push.ts';
import type { Scope } from '../../shared/schema/account.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import type { AccountQueue } from '../mutate/account-queue.ts';
import { isRecording, parseMutation } from '../mutate/parse-mutation.ts';
import { pushUnit, type Pushed } from '../mutate/push-unit.ts';
import type { RefusedRequest } from '../mutate/rest-unit.ts';
import { validator } from '../mutate/validator.ts';
import type { World } from '../mutate/world.ts';
import type { ClientOwner, Store } from '../store/store.ts';
import type { ClientOwners } from './client-owners.ts';
import { cursorText } from './cursor.ts';

export interface SyncCaller extends ClientOwner {
  scopes: Scope[];
}

export interface PushServices {
  store: Store;
  queue: AccountQueue;
  owners: ClientOwners;
  world: World;
}

export async function push(
  { store, queue, owners, world }: PushServices,
  caller: SyncCaller,
  request: PushRequest,
): Promise<{ ok: true; response: PushResponse } | RefusedRequest> {
  const clientId = request.client_id.toLowerCase();
  const foreign = await owners.claim(clientId, caller);
  if (foreign) return foreign;

  const pushed = request.mutations.map((mutation) => parsed(mutation, caller, world));
  const { accountId, deviceId } = caller;
  const unit = pushUnit({ clientId, deviceId, ackedSeq: request.acked_seq, pushed });
  const outcome = await queue.write(accountId, unit);
  if (!outcome.ok) return outcome;

  const { lastSeq, lastSeqBefore, answers, version } = outcome;
  const repeated = pushed.map(({ seq }) => seq).filter((seq) => seq <= lastSeqBefore);
  const remembered = repeated.length > 0 ? await rememberedAnswers(store, accountId, { clientId, repeated }) : [];
  const answerOf = new Map([...remembered, ...answers].map((answer) => [answer.seq, answer]));
  // What the client acknowledged is forgotten and left out of the results.
  const results = pushed.flatMap(({ seq }) => answerOf.get(seq) ?? []);
  return { ok: true, response: { results, last_seq: lastSeq, cursor: cursorText({ version }) } };
}

/** A mutation that is broken, or that the caller may not do, is rejected by itself. */
function parsed(pushed: PushedMutation, caller: SyncCaller, world: World): Pushed {
  const { seq } = pushed;
  const envelope = checkEnvelope(pushed);
  if (!envelope.ok) return { seq, mutation: envelope.error };
  const mutation = parseMutation(pushed.name, pushed.args, world);
  if (!mutation.ok) return { seq, mutation: mutation.error };
  const missing = missingScope(mutation.mutation.name, caller.scopes);
  return { seq, mutation: missing ? forbidden(missing) : mutation.mutation };
}

const checkEnvelope = validator(MutationEnvelope);

/** A token that may record may record, and no more; one that may write may do all. */
function missingScope(name: MutationName, scopes: Scope[]): Scope | undefined {
  const needed = isRecording(name) ? 'record' : 'write';
  return scopes.includes(needed) ? undefined : needed;
}

function forbidden(scope: Scope): Refusal {
  return { code: 'forbidden', detail: `This needs a token with the scope ${scope}.`, members: { scope } };
}

function rememberedAnswers(
  store: Store,
  accountId: string,
  { clientId, repeated }: { clientId: string; repeated: number[] },
): Promise<MutationAnswer[]> {
  const from = repeated.reduce((least, seq) => Math.min(least, seq));
  const to = repeated.reduce((most, seq) => Math.max(most, seq));
  return store.pushAnswers(accountId, { clientId, from, to });
}
