/** The authenticated sender of a request, with the scopes of the request's token. */
import type { Scope } from '../../shared/schema/account.ts';
import type { EventActor } from '../../shared/schema/integration/account-event.ts';
import type { RefusedRequest } from './reply.ts';

export interface Caller {
  /** Only a caller of kind `token` has the token of an account. The other fields describe that token. */
  kind: 'public' | 'operator' | 'token';
  accountId: string;
  /** null if the token is an API key. */
  deviceId: string | null;
  scopes: Scope[];
  tokenHash: string;
  tokenId: string;
  /** The device or API key to which the token belongs. */
  actor: EventActor;
}

/** The actor of events that the operator or the server itself caused. */
export const operatorActor: EventActor = { kind: 'operator', id: null };

export const invalidTokenRefusal: RefusedRequest = {
  ok: false,
  error: { code: 'unauthorized', detail: 'The token is unknown or revoked.' },
};
