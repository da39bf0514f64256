import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOutboxContent, isGapless, problem } from '../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../test/domain/check-property.ts';
import { rowIdOf } from './parse-entry.ts';
import { withUnsendableEntry } from './unsendable.ts';

const reason = problem('payload_too_large');

test('[OUTBOX-35] [OUTBOX-38] an unsendable mutation becomes a noop under its number, and no other entry changes', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.nat(), (content, draw) => {
      const sendable = [...content.pending, ...content.forwarded];
      const chosen = sendable[draw % Math.max(1, sendable.length)];
      if (!chosen) return;
      const after = withUnsendableEntry(content, chosen, reason);
      expect(isGapless(after)).toBe(isGapless(content));
      const expected = sendable.map((entry) => {
        const isMarked = rowIdOf(entry) === rowIdOf(chosen) && entry.payload.kind === 'mutation';
        return isMarked ? { ...entry, payload: { kind: 'noop', because: 'unsendable', reason } } : entry;
      });
      expect([...after.pending, ...after.forwarded]).toEqual(expected);
      expect({ ...after, pending: [], forwarded: [] }).toEqual({ ...content, pending: [], forwarded: [] });
    }),
  );
});
