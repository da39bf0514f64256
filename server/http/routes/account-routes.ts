/** The route that shows callers their account. */
import { AccountOverview } from '../../../shared/schema/account.ts';
import { toAccountOverview } from '../../auth/api-account.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import { successReply } from '../../core/reply.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

export function accountRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/account',
      access: ['read'],
      handle: ({ caller }) =>
        runCredentialTransaction(services, caller, {
          readSet: {},
          decide: ({ account, pairedCounts }) => successReply(200, toAccountOverview(account, pairedCounts)),
        }),
      docs: {
        operationId: 'getAccount',
        tag: 'Access',
        summary: 'Get the account',
        description: 'The account of the token: its name and plan, and how many phones, devices and maps it has.',
        response: { status: 200, description: 'The account.', schema: AccountOverview },
        examples: { plain: { summary: 'The account of the token' } },
      },
    }),
  ];
}
