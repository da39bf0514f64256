/** Applies the mutation of a REST request through the account's queue, and returns the reply. */
import type { MutationArgs, MutationName } from '../../../../shared/schema/mutation.ts';
import { completeMutation } from '../../../mutate/parse-mutation.ts';
import { restMutationUnit, type RestRequest } from '../../../mutate/rest-unit.ts';
import { parseIdempotency } from './idempotency-key.ts';
import type { ApiRequest } from '../../route.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../route-reply.ts';

interface RequestedMutation<Name extends MutationName> {
  name: Name;
  args: MutationArgs[Name];
  render: RestRequest['render'];
}

export async function applyAndReply<Name extends MutationName>(
  { queue, world }: Services,
  request: ApiRequest,
  { name, args, render }: RequestedMutation<Name>,
): Promise<Reply> {
  const { caller, params, header } = request;
  const parsed = parseIdempotency(request, [name, withLowerCaseValues(params)]);
  if (!parsed.ok) return parsed;
  const completed = completeMutation(name, args, world);
  if (!completed.ok) return completed;
  const { deviceId } = caller;
  const { mutation } = completed;
  const ifMatch = header('If-Match');
  return queue.write(
    caller,
    restMutationUnit({ mutation, deviceId, ifMatch, idempotency: parsed.idempotency, render }),
  );
}

function withLowerCaseValues(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.toLowerCase()]));
}
