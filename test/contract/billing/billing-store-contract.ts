import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emptyBillingRow } from '../../../server/store/billing/billing-row.ts';
import { newAccount, nothing, write } from '../store/records.ts';
import type { StoreUnderTest } from '../store/store-under-test.ts';

export function billingStoreContract({ store, open }: StoreUnderTest): void {
  test('[BILL-34] what an account pays for is written and loaded with its transaction, and by itself', async () => {
    const [accountId, other] = [await newAccount(store()), await newAccount(store())];
    const load = (id: string) =>
      store().transact(id, { ...nothing, billing: true }, ({ billing }) => ({ result: billing }));
    expect([await store().billing(accountId), await load(accountId)]).toEqual([undefined, undefined]);
    const billing = { ...emptyBillingRow, revision: 1, customer_id: 'cus_1', events: [{ created: 1, id: 'evt_1' }] };
    await write(store(), accountId, () => ({ billing }));
    expect([await store().billing(accountId), await load(accountId)]).toEqual([billing, billing]);
    await write(store(), accountId, () => ({ billing: { ...billing, revision: 2 } }));
    expect(await store().billing(accountId)).toEqual({ ...billing, revision: 2 });
    expect([await store().billing(other), await store().billing('not a uuid')]).toEqual([undefined, undefined]);
  });

  test('[BILL-35] of several that claim a customer at once one gets it, and customers are listed a page at a time', async () => {
    const second = await open();
    const accounts = Array.from({ length: 6 }, () => randomUUID());
    const customer = `cus_${randomUUID()}`;
    expect(await store().customerAccount(customer)).toBeUndefined();
    const claims = accounts.map((id, index) => (index % 2 ? second : store()).claimCustomer(customer, id));
    const [winner, ...others] = new Set(await Promise.all(claims));
    expect([accounts.some((id) => id === winner), others]).toEqual([true, []]);
    expect(await second.customerAccount(customer)).toBe(winner);
    const mixed = ['cus_a', 'cus_B', 'cus_b_', 'cus_0'];
    for (const id of mixed) await store().claimCustomer(id, accounts[0]!);
    const listed: string[] = [];
    for (let after = ''; ; after = listed.at(-1)!) {
      const page = await second.customers({ after, limit: 2 });
      listed.push(...page.map(({ customer_id }) => customer_id));
      if (page.length < 2) break;
    }
    expect(listed.filter((id) => mixed.includes(id))).toEqual(['cus_0', 'cus_B', 'cus_a', 'cus_b_']);
    expect(new Set(listed).size).toBe(listed.length);
    await second.close();
  });
}
