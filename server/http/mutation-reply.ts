/** A request that changes records: its mutation goes through the account's queue and comes back as an answer. */
import { invalid } from '../../shared/domain/outcome.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { MutationArgs, MutationName } from '../../shared/schema/mutation.ts';
import type { Answer } from '../mutate/answer.ts';
import { requestFingerprint } from '../mutate/fingerprint.ts';
import { completeMutation } from '../mutate/parse-mutation.ts';
import { restUnit, type IdempotencyKey } from '../mutate/rest-unit.ts';
import type { Effect } from '../mutate/working-set.ts';
import type { ApiRequest, RefusedReply, Reply } from './route.ts';
import type { Services } from './services.ts';

export interface Change<Name extends MutationName> {
  name: Name;
  args: MutationArgs[Name];
  /** Pure: it runs inside the transaction. `before` is the map as it was. */
  render(effect: Effect, before: MapDoc | undefined): Answer;
}

export async function mutationReply<Name extends MutationName>(
  { queue, world }: Services,
  { caller, body, params, header }: ApiRequest,
  { name, args, render }: Change<Name>,
): Promise<Reply> {
  const keyed = idempotencyKey(header, () => requestFingerprint([name, lowerCased(params)], body));
  if (!keyed.ok) return keyed;
  const completed = completeMutation(name, args, world);
  if (!completed.ok) return completed;
  const { accountId, deviceId } = caller;
  const { mutation } = completed;
  const ifMatch = header('If-Match');
  return queue.write(accountId, restUnit({ mutation, deviceId, ifMatch, idempotency: keyed.idempotency, render }));
}

/** The key of a request that is no recording; absent, the request is not idempotent. */
export function idempotencyKey(
  header: ApiRequest['header'],
  fingerprint: () => string,
): { ok: true; idempotency: IdempotencyKey | undefined } | RefusedReply {
  const key = idempotencyKeyHeader(header);
  if (key === undefined) return { ok: true, idempotency: undefined };
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return { ok: true, idempotency: { key, fingerprint: fingerprint() } };
  return wrongIdempotencyKey('must be 1 to 255 printable ASCII characters');
}

export function wrongIdempotencyKey(message: string): RefusedReply {
  return invalid([{ path: '/Idempotency-Key', message }]);
}

/** The drafts of the header's standard write it as a quoted string; both forms name the same key. */
export function idempotencyKeyHeader(header: ApiRequest['header']): string | undefined {
  const text = header('Idempotency-Key');
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

function lowerCased(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.toLowerCase()]));
}
