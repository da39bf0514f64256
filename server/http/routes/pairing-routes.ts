import { NewPairingCode, PairingCodeQuestion, PairRequest } from '../../../shared/schema/auth.ts';
import { accessTransaction } from '../../auth/device-transaction.ts';
import { answered, secretHeaders } from '../../core/reply.ts';
import { createPairing } from '../../auth/pair.ts';
import { creatorOf } from '../authenticate.ts';
import { clientNetwork } from '../limits/client-address.ts';
import { secretlyKeyed } from './idempotency-key.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

export function pairingRoutes(services: Services): Route[] {
  const pairing = createPairing(services);
  return [
    route({
      method: 'POST',
      path: '/api/v1/auth/pairing-code',
      access: ['admin'],
      body: NewPairingCode,
      async handle(request) {
        const keyed = secretlyKeyed(request, ['pairing_code'], services.world);
        if (!keyed.ok) return keyed;
        const made = await pairing.newCode({
          account_id: request.caller.accountId,
          device_kind: request.body.device_kind ?? 'wearable',
          created_by: { ...creatorOf(request.caller), token_hash: request.caller.tokenHash },
        });
        const answer = made.ok ? answered(201, made.code, secretHeaders) : made;
        // A repeated request is answered as the first time, also without a new code. It drops the new one, and so does one
        // whose token was revoked: nobody ever hears of it.
        return accessTransaction(services, request.caller, {
          wants: {},
          idempotency: keyed.idempotency,
          decide: () => answer,
        });
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/auth/pairing-code/account',
      access: 'public',
      body: PairingCodeQuestion,
      handle: ({ body, address }) => pairing.account(body, services.pseudonym(clientNetwork(address))),
    }),

    /** Repeats itself by its code and device; a key would have to remember the token. */
    route({
      method: 'POST',
      path: '/api/v1/auth/pair',
      access: 'public',
      body: PairRequest,
      handle: ({ body, address }) => pairing.pair(body, services.pseudonym(clientNetwork(address))),
    }),
  ];
}
