import {
  NewPairingCode,
  PairResult,
  PairingCode,
  PairingCodeAccount,
  PairingCodeLookup,
  PairRequest,
} from '../../../shared/schema/auth.ts';
import { exampleDeviceId, examplePairingCode } from './example-ids.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import { successReply, uncachedHeaders } from '../../core/reply.ts';
import { createPairing } from '../../auth/pair.ts';
import { callerAsCreator } from '../authenticate.ts';
import { clientNetwork } from '../limits/client-address.ts';
import { parseSealedIdempotency } from './mutation/idempotency-key.ts';
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
        const parsedKey = parseSealedIdempotency(request, ['pairing_code'], services.world);
        if (!parsedKey.ok) return parsedKey;
        const made = await pairing.newCode({
          account_id: request.caller.accountId,
          device_kind: request.body.device_kind ?? 'wearable',
          created_by: { ...callerAsCreator(request.caller), token_hash: request.caller.tokenHash },
        });
        const reply = made.ok ? successReply(201, made.code, uncachedHeaders) : made;
        // If the request repeats an idempotency key, the transaction returns the stored reply to the first request.
        // Nobody sees the new code then.
        return runCredentialTransaction(services, request.caller, {
          readSet: {},
          idempotency: parsedKey.idempotency,
          decide: () => reply,
        });
      },
      docs: {
        operationId: 'createPairingCode',
        tag: 'Access',
        summary: 'Make a pairing code',
        description:
          'Makes a code of 8 characters that pairs one device of that kind, once, within 10 minutes. An account may have 100 that no device used.',
        response: { status: 201, description: 'The code.', schema: PairingCode },
        codes: ['pairing_code_limit_reached'],
        idempotency: 'key',
        examples: { wearable: { summary: 'For a watch', body: { device_kind: 'wearable' } } },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/auth/pairing-code/account',
      access: 'public',
      body: PairingCodeLookup,
      handle: ({ body, address }) => pairing.accountOfCode(body, services.pseudonym(clientNetwork(address))),
      docs: {
        operationId: 'askPairingCodeAccount',
        tag: 'Access',
        summary: 'Ask whose account a pairing code joins',
        description:
          'Tells the account before a device is paired. The code still works afterwards. Failures count together with those of pairing.',
        response: { status: 200, description: 'The account.', schema: PairingCodeAccount },
        codes: ['pairing_code_invalid'],
        examples: { watch: { summary: 'A watch', body: { code: examplePairingCode, device_kind: 'wearable' } } },
      },
    }),

    /**
     * Takes no idempotency key, since the code and the device id identify a repeated request, and a stored reply would
     * contain the token.
     */
    route({
      method: 'POST',
      path: '/api/v1/auth/pair',
      access: 'public',
      body: PairRequest,
      handle: ({ body, address }) => pairing.pair(body, services.pseudonym(clientNetwork(address))),
      docs: {
        operationId: 'pairDevice',
        tag: 'Access',
        summary: 'Pair a device',
        description:
          'Exchanges a code for a token. A wrong, used or expired code is the same 401. If the answer was lost, the same code with the same `device_id` gives a fresh token and revokes the first. At most 10 failures a minute are taken from an address. With `account_id`, a code of another account is refused and stays unused.',
        response: { status: 201, description: 'The token of the device.', schema: PairResult },
        codes: ['pairing_code_invalid', 'account_mismatch', 'seat_limit_reached'],
        examples: {
          watch: {
            summary: 'A watch',
            body: {
              code: examplePairingCode,
              device_id: exampleDeviceId,
              device_name: "Mara's watch",
              device_kind: 'wearable',
            },
          },
        },
      },
    }),
  ];
}
