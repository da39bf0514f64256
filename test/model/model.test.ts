import { describe, expect, test } from 'vitest';
import { bounds } from './bounds.ts';
import { explore } from './explore.ts';
import { protocol } from './protocol.ts';
import type { Bound, ModelState } from './state.ts';
import { variants, type Variant } from './variant.ts';

describe('[MODEL-1] [MODEL-2] [MODEL-3] each reachable state keeps the invariants and drains, with', () => {
  test.each(Object.keys(bounds))('%s', async (name) => {
    const { bound, statesMax } = bounds[name]!;

    const found = await explore(protocol(bound), { statesMax });

    console.log(
      `${name}: ${found.states} states, ${found.isComplete ? 'all' : 'not all'}, ${found.transitions} transitions`,
    );
    expect(found.violation).toBeUndefined();
  });
});

const noFaults = { devices: 1, crashes: 0, losses: 0, late: 0, restores: 0, copies: 0 };

/** The smallest bound in which each fault shows, and what it then breaks. */
const finds: Record<(typeof variants)[number], { bound: Bound; broken: string }> = {
  'no dedupe': {
    bound: { ...noFaults, mutations: ['change'], losses: 1 },
    broken: 'each mutation is applied once, by copies too',
  },
  'acknowledge before the commit': {
    bound: { ...noFaults, mutations: ['recording'] },
    broken: 'everything drains',
  },
  'done when answered': {
    bound: { ...noFaults, mutations: ['recording'] },
    broken: 'the view shows each recording of the device',
  },
  'no receipts': {
    bound: { ...noFaults, mutations: ['recording'], restores: 1 },
    broken: 'nothing acknowledged is lost',
  },
  'skip the epoch check': {
    bound: { ...noFaults, mutations: ['recording'], restores: 1 },
    broken: 'custody is never premature',
  },
  'forget what was applied': {
    bound: { ...noFaults, mutations: ['change'], restores: 1, copies: 1 },
    broken: 'each mutation is applied once, by copies too',
  },
  'skip the chain check': {
    bound: { ...noFaults, mutations: ['recording', 'recording'], copies: 1 },
    broken: 'custody is never premature',
  },
  'cursor of a failed write': {
    bound: { ...noFaults, devices: 2, mutations: ['recording'], crashes: 1 },
    broken: 'B does not show r1',
  },
  'forget a rejection': {
    bound: { ...noFaults, mutations: ['refused'] },
    broken: 'nothing acknowledged is lost',
  },
  'reorder the outbox': {
    bound: { ...noFaults, mutations: ['change', 'change'] },
    broken: 'the mutations of a device are applied in their order',
  },
  'custody when sent': {
    bound: { ...noFaults, mutations: ['recording'] },
    broken: 'custody is never premature',
  },
  'custody of a refused recording': {
    bound: { ...noFaults, mutations: ['refused recording'], crashes: 1 },
    broken: 'custody is never premature',
  },
  'join pages of two epochs': {
    bound: { ...noFaults, mutations: ['recording', 'recording'], restores: 1, pageMax: 1 },
    broken: 'custody is never premature',
  },
};

describe('[MODEL-4] the checker finds', () => {
  test.each(variants)('%s', async (variant: Variant & keyof typeof finds) => {
    const { bound, broken } = finds[variant];

    const { violation } = await explore(protocol(bound, { variant }), { statesMax: 20_000 });

    expect(violation?.names).toContain(broken);
    expect(violation?.trace.length).toBeGreaterThan(0);
  });

  test.each(variants)('nothing in the bound of %s as the code is built', async (variant: keyof typeof finds) => {
    const found = await explore(protocol(finds[variant].bound), { statesMax: 20_000 });

    expect(found).toMatchObject({ isComplete: true });
    expect(found.violation).toBeUndefined();
  });
});

test.each(['a copied refusal', 'two devices'])(
  '[MODEL-6] the orders that the search leaves out lead to no other state of rest, with %s',
  async (name) => {
    const { bound } = bounds[name]!;
    const smaller = { ...bound, mutations: bound.mutations.slice(0, 2), losses: 0 };
    const restsOf = async (takesAllOrders: boolean) => {
      const machine = protocol(smaller, { takesAllOrders });
      const rests = new Set<string>();
      const undrained = (state: ModelState) => {
        rests.add(machine.keyOf(state));
        return machine.undrained!(state);
      };
      const { states, isComplete } = await explore({ ...machine, undrained }, { statesMax: 20_000 });
      return { states, isComplete, rests: rests.size };
    };

    const [all, fewer] = [await restsOf(true), await restsOf(false)];

    console.log(`${name}: ${all.states} states in all orders, ${fewer.states} without`);
    expect(fewer).toMatchObject({ isComplete: true, rests: all.rests });
    expect(all.isComplete).toBe(true);
    expect(fewer.states).toBeLessThan(all.states);
  },
);

test('[MODEL-5] two runs within one bound reach the same states', async () => {
  const { bound } = bounds['a copied device']!;
  const count = async () => explore(protocol(bound), { statesMax: 3_000 });

  expect(await count()).toEqual(await count());
});
