import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../test/device/outbox-content.ts';
import { chainUpTo, digestOf, extendChain, type ChainedMutation } from './chain.ts';
import { mutationPayload, replacedPayload } from './entry.ts';

test('[PUSH-21] the chain at a number covers all mutations up to that number, or is unknown', async () => {
  await fc.assert(
    fc.asyncProperty(anyOutboxContent, async (content) => {
      const { device, pending } = content;
      const { proven_seq = 0, proven_chain = '', last_seq } = device;
      expect(await chainUpTo(content, last_seq)).toBe(await extendChain(proven_chain, pending));
      expect(await chainUpTo(content, proven_seq)).toBe(proven_chain);
      expect(await chainUpTo(content, proven_seq - 1)).toBeUndefined();
      if (pending.length > 0) {
        expect(await chainUpTo({ ...content, pending: pending.slice(1) }, last_seq)).toBeUndefined();
      }
    }),
  );
});

const mutation: ChainedMutation = { name: 'update_map', args: { map_id: 'map', name: 'A' }, payload: mutationPayload };

test('[PUSH-21] a digest is that of the mutation as it was made, and of empty args where only the number is sent', async () => {
  const digest = await digestOf(mutation);
  // Servers store these, so they are pinned.
  expect(digest).toBe('b3e1c05c6ce899cda98e8697228dbaeb');
  expect(await digestOf({ ...mutation, version: 2, made_as: { version: 1, args: mutation.args } })).toBe(digest);
  expect(await digestOf({ ...mutation, version: 2 })).not.toBe(digest);
  const noop = await digestOf({ ...mutation, payload: replacedPayload });
  expect(noop).toBe(await digestOf({ ...mutation, args: {} }));
  expect(noop).not.toBe(digest);
});

test('[PUSH-21] a chain depends on each mutation before it, also when a part of it is known', async () => {
  const other = { ...mutation, args: { map_id: 'map', name: 'B' } };
  const chain = await extendChain('', [mutation, other]);
  expect(chain).toBe('4a5d01d98fc848c128670278a4022a44');
  expect(await extendChain(await extendChain('', [mutation]), [other])).toBe(chain);
  expect(await extendChain('', [other, mutation])).not.toBe(chain);
  expect(await extendChain('before', [mutation, other])).not.toBe(chain);
  expect(await extendChain('', [mutation, other])).toBe(chain);
});

test('[PUSH-21] the chain is of the numbers of the present client id, and unknown without a proven one', async () => {
  const entry = { ...mutation, recorded_at: '', proven_at: null, state: 'pending' } as const;
  const row = { kind: 'device', device_id: 'mine', token: null, epoch: null, client_id: 'mine', last_seq: 3 } as const;
  const content = (device: object, clientIds: string[]) => ({
    device: { ...row, ...device },
    pending: clientIds.map((client_id, index) => ({ ...entry, client_id, seq: index + 2 })),
    forwarded: [],
    refused: [],
    receipts: [],
    discarded: [],
  });
  const proven = { proven_seq: 1, proven_chain: 'chain' };
  expect(await chainUpTo(content(proven, ['mine', 'mine']), 2)).toBe(await extendChain('chain', [mutation]));
  expect(await chainUpTo(content(proven, ['mine', 'earlier']), 3)).toBeUndefined();
  // An entry that is proven already is in the proven chain.
  const proven2 = { proven_seq: 2, proven_chain: 'chain' };
  expect(await chainUpTo(content(proven2, ['mine', 'mine']), 3)).toBe(await extendChain('chain', [mutation]));
  expect(await chainUpTo(content({ proven_chain: 'chain' }, ['mine', 'mine']), 2)).toBeUndefined();
  expect(await chainUpTo(content({ proven_seq: 1 }, ['mine', 'mine']), 2)).toBeUndefined();
});
