import { AccountResult, NewAccountResult } from '../../../shared/schema/answers.ts';
import { accountId } from '../example-ids.ts';
import type { Resource } from '../notes.ts';

export const admin: Resource = {
  tag: 'Operator',
  description:
    "Accounts are made and changed by the operator, with the token of the server's variable `GEMBA_ADMIN_TOKEN`. Without the variable there are no such routes.",
  operations: {
    'POST /api/v1/admin/accounts': {
      operationId: 'createAccount',
      summary: 'Make an account',
      description: 'Makes an account and its first API key, which is shown here and never again.',
      answer: { status: 201, description: 'The account and its API key.', schema: NewAccountResult },
      idempotency: 'key',
      examples: {
        plain: {
          summary: 'A team with five more seats',
          body: { name: 'Nordhafen Logistics', plan: 'team', seats: 5 },
        },
      },
    },

    'PATCH /api/v1/admin/accounts/:id': {
      operationId: 'updateAccount',
      summary: 'Change an account',
      description: 'Changes what the body names and leaves the rest.',
      answer: { status: 200, description: 'The account as it is now.', schema: AccountResult },
      codes: ['not_found'],
      idempotency: 'key',
      examples: { plain: { summary: 'More seats', path: { id: accountId }, body: { additional_seats: 8 } } },
    },
  },
};
