/** The operator's routes, which create and change accounts. */
import { AccountPatch, AccountResult, NewAccount, NewAccountResult } from '../../../shared/schema/account.ts';
import { exampleAccountId } from './example-ids.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import { toApiAccount } from '../../auth/api-account.ts';
import { operatorActor } from '../../core/caller.ts';
import { successReply, uncachedHeaders } from '../../core/reply.ts';
import { createAccount, createAccountOnce } from '../../auth/new-account.ts';
import { parseIdempotency, parseSealedIdempotency } from './mutation/idempotency-key.ts';
import { isLowerCaseUuid } from './list.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply } from '../route-reply.ts';

const path = '/api/v1/admin/accounts';

export function adminRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path,
      access: 'operator',
      body: NewAccount,
      async handle(request) {
        const parsedKey = parseSealedIdempotency(request, ['create_account'], services.world);
        if (!parsedKey.ok) return parsedKey;
        if (parsedKey.idempotency) return createAccountOnce(services, request.body, parsedKey.idempotency);
        return successReply(201, await createAccount(services, request.body), uncachedHeaders);
      },
      docs: {
        operationId: 'createAccount',
        tag: 'Operator',
        summary: 'Make an account',
        description: 'Makes an account and its first API key, which is shown here and never again.',
        response: { status: 201, description: 'The account and its API key.', schema: NewAccountResult },
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'A team with five more seats',
            body: { name: 'Nordhafen Logistics', plan: 'team', seats: 5 },
          },
        },
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:id`,
      access: 'operator',
      body: AccountPatch,
      async handle(request) {
        const id = request.params['id']!.toLowerCase();
        // Nothing deletes accounts, so the account will still exist in the transaction below.
        if (!isLowerCaseUuid(id) || !(await services.store.account(id))) return accountNotFoundRefusal(id);
        const parsedKey = parseIdempotency(request, ['update_account', id]);
        if (!parsedKey.ok) return parsedKey;
        return runCredentialTransaction(
          services,
          { accountId: id, tokenHash: null, actor: operatorActor },
          {
            readSet: {},
            idempotency: parsedKey.idempotency,
            decide(credentials) {
              credentials.changeAccount(request.body);
              return successReply(200, { account: toApiAccount(credentials.account) });
            },
          },
        );
      },
      docs: {
        operationId: 'updateAccount',
        tag: 'Operator',
        summary: 'Change an account',
        description: 'Changes what the body names and leaves the rest.',
        response: { status: 200, description: 'The account as it is now.', schema: AccountResult },
        codes: ['not_found'],
        idempotency: 'key',
        examples: { plain: { summary: 'More seats', path: { id: exampleAccountId }, body: { additional_seats: 8 } } },
      },
    }),
  ];
}

function accountNotFoundRefusal(id: string): RefusedReply {
  return { ok: false, error: { code: 'not_found', detail: `There is no account ${id}.` } };
}
