import fc from 'fast-check';
import { test } from 'vitest';
import {
  anyOutboxContent,
  holdsExactly,
  newClientId,
  haveEqualJson,
  tagsOf,
} from '../../../../test/device/outbox-content.ts';
import { checkProperty } from '../../../../test/domain/check-property.ts';
import { entriesOf } from '../content.ts';
import { renumberUnderDerivedClients } from './derived-clients.ts';

test('[OUTBOX-37] [OUTBOX-38] [OUTBOX-39] derived client ids lose and double nothing, and count each from 1 in the order of the work', () => {
  checkProperty(
    fc.property(anyOutboxContent, fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (content, draws) => {
      const moved = new Set(content.forwarded.filter((_, index) => draws[index]));
      const after = renumberUnderDerivedClients(content, (entry) => moved.has(entry));
      const known = new Set(content.forwarded.map(({ client_id }) => client_id));
      const derived = after.forwarded.filter(({ client_id }) => !known.has(client_id));
      const numbersOf = (client: string) =>
        derived.filter(({ client_id }) => client_id === client).map(({ seq }) => seq);
      return (
        holdsExactly(after, tagsOf(entriesOf(content))) &&
        derived.length === moved.size &&
        haveEqualJson(tagsOf(after.forwarded), tagsOf(content.forwarded)) &&
        derived.every(({ client_id }) => numbersOf(client_id).every((seq, index) => seq === index + 1))
      );
    }),
  );
});

test('[SYNC-64] every device of the account derives the same client ids', () => {
  checkProperty(
    fc.property(anyOutboxContent, (content) => {
      const other = { ...content, device: { ...content.device, client_id: newClientId, device_id: newClientId } };
      const numbersOf = (of: typeof content) =>
        renumberUnderDerivedClients(of, () => true).forwarded.map(({ client_id, seq }) => [client_id, seq]);
      return haveEqualJson(numbersOf(content), numbersOf(other));
    }),
  );
});
