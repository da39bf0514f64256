/** Renumbers forwarded work under client ids that every device derives from that work in the same way. Pure. */
import { v5 as uuidOf } from 'uuid';
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import { originOf, type DeviceBody } from '../../../storage/rows.ts';
import type { OutboxContent } from '../content.ts';
import { renumberedPayload, type ForwardedEntry } from '../entry.ts';

/**
 * Renumbers forwarded work whose numbers the server has used for other work. The first mutation of each run of consecutive
 * numbers determines the new client id, so every device that holds this work sends it under the same number, and the
 * server takes it once. The order among the forwarded entries stays.
 */
export function moveToDerivedClients(
  content: OutboxContent,
  isMoved: (entry: ForwardedEntry) => boolean,
): OutboxContent {
  const runs = new Map<string, { client_id: string; first: number; last: number }>();
  const forwarded = content.forwarded.map((entry): ForwardedEntry => {
    if (!isMoved(entry)) return entry;
    const { client_id, seq } = entry;
    const known = runs.get(client_id);
    const run =
      known?.last === seq - 1 ? known : { client_id: derivedClientId(content.device, entry), first: seq, last: seq };
    runs.set(client_id, { ...run, last: seq });
    const { answer: _answer, ...work } = entry;
    const moved = { client_id: run.client_id, seq: seq - run.first + 1, origin: originOf(entry) };
    return { ...work, ...moved, payload: renumberedPayload(entry) };
  });
  return { ...content, forwarded };
}

/** A UUID of version 5 (RFC 9562, 5.5), computed from the account, the mutation and its number before the move. */
function derivedClientId({ account_id = '' }: DeviceBody, work: ForwardedEntry): string {
  const { client_id, seq, name, args, recorded_at } = work;
  return uuidOf(canonicalJson([account_id, client_id, seq, name, args, recorded_at]), derivedNamespace);
}

const derivedNamespace = '0c9f3f0e-3f64-4bb1-9a5e-6a3f5f2f8d11';
