import fc from 'fast-check';
import { test } from 'vitest';
import {
  anyOutboxContent,
  holdsExactly,
  isGapless,
  newClientId,
  haveEqualJson,
  tagsOf,
} from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { entriesOf } from '../content.ts';
import { isReplaced, numberOf } from '../entry.ts';
import { toUnnumberedEntries } from './importing.ts';
import { forkSequence } from './fork.ts';
import { appendForwarded, resendAll, startNewClient } from './numbering.ts';

test('[OUTBOX-37] [OUTBOX-38] [OUTBOX-39] sending everything again loses and doubles nothing, counts from 1 and keeps the order', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const after = resendAll(content, newClientId);
      const sent = [...content.receipts, ...content.forwarded, ...content.pending];
      return (
        holdsExactly(after, tagsOf(entriesOf(content))) &&
        isGapless(after) &&
        after.device.last_seq === after.pending.length &&
        haveEqualJson(tagsOf(after.pending), tagsOf(sent)) &&
        entriesOf(after).every(({ client_id }) => client_id === newClientId)
      );
    }),
  );
});

test('[OUTBOX-37] [OUTBOX-39] a new client id forwards pending work under its numbers, and the rest waits in its order', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const after = startNewClient(content, newClientId);
      const numbersOf = (entries: { client_id: string; seq: number }[]) => entries.map((it) => [it.client_id, it.seq]);
      const turns = after.forwarded.map(({ forwardOrder = 0 }) => forwardOrder);
      return (
        holdsExactly(after, tagsOf(entriesOf(content))) &&
        after.pending.length === 0 &&
        after.device.last_seq === 0 &&
        haveEqualJson(numbersOf(after.forwarded), numbersOf([...content.forwarded, ...content.pending])) &&
        haveEqualJson(
          turns,
          turns.toSorted((a, b) => a - b),
        ) &&
        haveEqualJson(tagsOf(after.refused), tagsOf(content.refused)) &&
        [...after.refused, ...after.receipts, ...after.discarded].every((entry) => numberOf(entry) < 1)
      );
    }),
  );
});

test('[OUTBOX-37] [OUTBOX-38] [OUTBOX-39] a fork keeps all work and its order, whatever the server agrees on', () => {
  const otherSeqs = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
  const comparison = fc.option(
    fc.oneof(fc.constant('due' as const), fc.record({ otherSeqs, hasDiverged: fc.boolean() })),
  );
  checkProperty(
    fc.property(anyOutboxContent, fc.nat({ max: 12 }), comparison, (content, agreedSeq, said) => {
      const { client_id } = content.device;
      const conflict = { client_id, agreedSeq, ...(said ? { comparison: said } : {}) };
      const after = forkSequence(content, conflict, newClientId);
      // A replaced mutation needs no new number.
      const dropped = said ? [] : content.pending.filter((entry) => entry.seq > agreedSeq && isReplaced(entry));
      const kept = tagsOf(entriesOf(content)).filter((tag) => !tagsOf(dropped).includes(tag));
      const before = tagsOf([...content.forwarded, ...content.pending]).filter((tag) => kept.includes(tag));
      return (
        holdsExactly(after, kept) &&
        isGapless(after) &&
        haveEqualJson(tagsOf([...after.forwarded, ...after.pending]), before)
      );
    }),
  );
});

test('[OUTBOX-37] [OUTBOX-39] a fork of forwarded work touches no other work', () => {
  const clients = fc.constantFrom('22222222-2222-4222-8222-222222222222', newClientId);
  checkProperty(
    fc.property(anyOutboxContent, clients, fc.nat({ max: 6 }), (content, client_id, agreedSeq) => {
      const after = forkSequence(content, { client_id, agreedSeq }, newClientId);
      const isOther = (entry: { client_id: string }) => entry.client_id !== client_id;
      return (
        holdsExactly(after, tagsOf(entriesOf(content))) &&
        haveEqualJson(tagsOf(after.forwarded), tagsOf(content.forwarded)) &&
        haveEqualJson(after.pending, content.pending) &&
        content.forwarded.filter(isOther).every((entry) => after.forwarded.includes(entry))
      );
    }),
  );
});

test('[OUTBOX-39] what is queued or waits goes behind or below all that there is', () => {
  checkProperty(
    fc.property(anyOutboxContent, anyOutboxContent, (content, other) => {
      const queued = appendForwarded(content, other.pending).map(({ forwardOrder = 0 }) => forwardOrder);
      const waiting = toUnnumberedEntries(content, other.refused);
      const kept = [...content.refused, ...content.receipts, ...content.discarded].map(numberOf);
      const lowest = Math.min(1, ...kept);
      return (
        new Set(queued).size === queued.length &&
        haveEqualJson(
          queued,
          queued.toSorted((a, b) => a - b),
        ) &&
        waiting.every((entry) => numberOf(entry) < lowest) &&
        haveEqualJson(tagsOf(waiting), tagsOf(other.refused))
      );
    }),
  );
});
