import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent } from '../../../test/device/outbox-content.ts';
import { extendChain, chainUpTo } from './chain.ts';

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
