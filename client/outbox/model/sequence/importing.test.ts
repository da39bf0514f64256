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
import { entriesOf, type OutboxContent } from '../content.ts';
import { importWork, type ImportedEntries } from './importing.ts';

const otherClientId = '66666666-6666-4666-8666-666666666666';

/** Returns the entries of a file in which a device exported this outbox. */
function exportedEntriesOf({ pending, forwarded, refused, device }: OutboxContent): ImportedEntries {
  const own = pending.map((entry, index) => ({ ...entry, state: 'forwarded' as const, forwardOrder: 100 + index }));
  return { account_id: device.account_id, forwarded: [...forwarded, ...own], refused };
}

/** Returns the outbox under other client ids, as if another device had made it. */
function asOtherDevice(content: OutboxContent): OutboxContent {
  const renamed = <Entry extends { client_id: string }>(entry: Entry): Entry => ({
    ...entry,
    client_id: entry.client_id.replace(/^(.)\1{7}/, '$1aaaaaaa'),
  });
  return {
    device: { ...content.device, client_id: otherClientId },
    pending: content.pending.map((entry) => ({ ...entry, client_id: otherClientId })),
    forwarded: content.forwarded.map(renamed),
    refused: content.refused.map(renamed),
    receipts: content.receipts.map(renamed),
    discarded: content.discarded.map(renamed),
  };
}

test('[OUTBOX-37] [OUTBOX-39] an import loses and doubles nothing, and keeps the order of the device and of the file', () => {
  checkProperty(
    fc.property(anyOutboxContent, anyOutboxContent, (content, other) => {
      const file = exportedEntriesOf(asOtherDevice(other));
      const after = importWork(content, file, newClientId);
      const held = tagsOf([...entriesOf(content), ...file.forwarded, ...file.refused]);
      return (
        holdsExactly(after, held) &&
        isGapless(after) &&
        haveEqualJson(tagsOf(after.forwarded), tagsOf([...content.forwarded, ...file.forwarded])) &&
        haveEqualJson(after.pending, content.pending)
      );
    }),
  );
});

test('[OUTBOX-37] work that a copy of this device has under the same numbers is taken in once', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const copied = { ...exportedEntriesOf(content), refused: [] };
      return holdsExactly(importWork(content, copied, newClientId), tagsOf(entriesOf(content)));
    }),
  );
});

test('[OUTBOX-37] a copy that used the same numbers for other work keeps both', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const file = exportedEntriesOf(content);
      const others = file.forwarded.map((entry, index) => ({
        ...entry,
        args: { other: index },
        origin: `other|${index}`,
      }));
      const after = importWork(content, { ...file, forwarded: others, refused: [] }, newClientId);
      return holdsExactly(after, tagsOf([...entriesOf(content), ...others])) && isGapless(after);
    }),
  );
});

test('[OUTBOX-39] work behind a clashing number leaves its client id together with it', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const [held] = content.forwarded;
      if (!held) return true;
      const other = { ...held, args: { other: true }, origin: 'other|1' };
      const later = { ...other, seq: held.seq + 1_000, origin: 'other|2' };
      const file = { account_id: undefined, forwarded: [other, later], refused: [] };
      const after = importWork(content, file, newClientId).forwarded.slice(-2);
      return after.every(({ client_id }) => client_id !== held.client_id);
    }),
  );
});

test('[SYNC-64] a device that does not know its account yet derives the same client ids as one that does', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const file = exportedEntriesOf(content);
      const others = file.forwarded.map((entry) => ({ ...entry, args: { other: true } }));
      const { account_id: _account, ...device } = content.device;
      const numbersIn = (of: OutboxContent) =>
        importWork(of, { ...file, forwarded: others, refused: [] }, newClientId).forwarded.map((entry) => [
          entry.client_id,
          entry.seq,
        ]);
      return haveEqualJson(numbersIn(content), numbersIn({ ...content, device }));
    }),
  );
});
