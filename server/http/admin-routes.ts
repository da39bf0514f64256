/** The operator's: accounts are made and changed here, not by their users. */
import { AccountPatch, NewAccount } from '../../shared/schema/account.ts';
import { accountRecord } from '../mutate/account-record.ts';
import { createAccount, createAccountOnce } from '../mutate/new-account.ts';
import { secretlyKeyed } from './access-change.ts';
import { answered, route, type RefusedReply, type Route } from './route.ts';
import type { Services } from './services.ts';

const path = '/api/v1/admin/accounts';

export function adminRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path,
      access: 'operator',
      body: NewAccount,
      async handle(request) {
        const keyed = secretlyKeyed(request, ['create_account'], services.world);
        if (!keyed.ok) return keyed;
        if (keyed.idempotency) return createAccountOnce(services, request.body, keyed.idempotency);
        return answered(201, await createAccount(services, request.body), { 'Cache-Control': 'no-store' });
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:id`,
      access: 'operator',
      body: AccountPatch,
      async handle({ params, body }) {
        const id = params['id']!.toLowerCase();
        const patch = { ...body, ...(body.name === undefined ? {} : { name: body.name.trim() }) };
        const account = isUuid(id) ? await services.store.updateAccount(id, patch) : undefined;
        return account ? answered(200, { account: accountRecord(account) }) : noAccount(id);
      },
    }),
  ];
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

function noAccount(id: string): RefusedReply {
  return { ok: false, error: { code: 'not_found', detail: `There is no account ${id}.` } };
}
