/** Applies the mutation of a REST request through the account's queue, and returns the reply. */
import type { MapDoc } from '../../../../shared/schema/map.ts';
import type { MutationArgs, MutationName } from '../../../../shared/schema/mutation.ts';
import type { JsonResponse } from '../../../core/reply.ts';
import { completeMutation } from '../../../mutate/parse-mutation.ts';
import { restMutationUnit } from '../../../mutate/rest-unit.ts';
import type { AffectedRecords } from '../../../mutate/working-set/working-set.ts';
import { parseIdempotency } from './idempotency-key.ts';
import type { ApiRequest } from '../../route.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../route-reply.ts';

interface RequestedMutation<Name extends MutationName> {
  name: Name;
  args: MutationArgs[Name];
  /** Must be pure, since the transaction may run `render` again. `before` is the map before the mutation. */
  render(affected: AffectedRecords, before: MapDoc | undefined): JsonResponse;
}

export async function applyAndReply<Name extends MutationName>(
  { queue, world }: Services,
  request: ApiRequest,
  { name, args, render }: RequestedMutation<Name>,
): Promise<Reply> {
  const { caller, params, header } = request;
  const idempotencyKey = parseIdempotency(request, [name, withLowerCaseValues(params)]);
  if (!idempotencyKey.ok) return idempotencyKey;
  const completed = completeMutation(name, args, world);
  if (!completed.ok) return completed;
  const { deviceId } = caller;
  const { mutation } = completed;
  const ifMatch = header('If-Match');
  return queue.write(
    caller,
    restMutationUnit({ mutation, deviceId, ifMatch, idempotency: idempotencyKey.idempotency, render }),
  );
}

function withLowerCaseValues(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.toLowerCase()]));
}
