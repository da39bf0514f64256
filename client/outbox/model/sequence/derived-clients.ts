/** Gives forwarded mutations new client ids, which are computed from the mutations. Pure. */
import { v5 as uuidOf } from 'uuid';
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import { originOf, type DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import { renumberedPayload, type ForwardedEntry } from '../entry.ts';

/**
 * Renumbers forwarded mutations if the server has other mutations under their sequence numbers. Successive mutations
 * get one client id, computed from the first of them, so that every device computes the same client id.
 */
export function renumberUnderDerivedClients(
  content: OutboxContent,
  isRenumbered: (entry: ForwardedEntry) => boolean,
): OutboxContent {
  const seriesOf = new Map<string, { client_id: string; first: number; last: number }>();
  const forwarded = content.forwarded.map((entry): ForwardedEntry => {
    if (!isRenumbered(entry)) return entry;
    const { client_id, seq } = entry;
    const known = seriesOf.get(client_id);
    const series =
      known?.last === seq - 1 ? known : { client_id: derivedClientId(content.device, entry), first: seq, last: seq };
    seriesOf.set(client_id, { ...series, last: seq });
    const { answer: _answer, ...fields } = entry;
    const renumbered = { client_id: series.client_id, seq: seq - series.first + 1, origin: originOf(entry) };
    return { ...fields, ...renumbered, payload: renumberedPayload(entry) };
  });
  return { ...content, forwarded };
}

/** Computes a UUID of version 5 (RFC 9562, 5.5) from the account, the mutation and its original number. */
function derivedClientId({ account_id = '' }: DeviceBody, firstEntry: ForwardedEntry): string {
  const { client_id, seq, name, args, recorded_at } = firstEntry;
  return uuidOf(canonicalJson([account_id, client_id, seq, name, args, recorded_at]), derivedClientNamespace);
}

const derivedClientNamespace = '0c9f3f0e-3f64-4bb1-9a5e-6a3f5f2f8d11';
