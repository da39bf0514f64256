/**
 * Computes the effects of a push on the device, and compares their digest with the server's. Loaded with the first push
 * that asks for effects.
 */
import { chainDigitCount } from '../../../../shared/protocol/chain.ts';
import type { PushBase } from '../../../../shared/protocol/effects.ts';
import { effectsText } from '../../../../shared/protocol/effects-text.ts';
import type { ClientProgress, RecordChange } from '../../../../shared/protocol/pull.ts';
import type { PushResponse } from '../../../../shared/protocol/push.ts';
import { sha256 } from '../../../core/hash.ts';
import type { SendableEntry } from '../../../outbox/model/entry.ts';
import type { Outbox } from '../../../outbox/outbox.ts';
import { recordRowId } from '../../../storage/rows.ts';
import type { Base } from '../../../view/base.ts';
import { Overlay } from '../../../view/overlay.ts';
import { ownChanges } from './own-changes.ts';
import { isPushEffects, hasAllAnswers } from './verify-response.ts';

/** The pulled records and the outbox, from which the device computes the effects of its pushes. */
export interface EffectSources {
  base: Base;
  outbox: Outbox;
}

/** The changes that the end of a round writes instead of pulled changes. */
export interface VerifiedChanges {
  /** The cursor of the base from which the device computed the effects. */
  from: string;
  /** The cursor after these changes, which the server named in its push response. */
  cursor: string;
  changes: RecordChange[];
}

/** The verified effects of all pushes of one round. */
export interface VerifiedRound extends VerifiedChanges {
  clientId: string;
  /** The base with these effects applied, with the server's versions and times. */
  overlay: Overlay;
  /** The client record that a pull would bring after these pushes. */
  client: ClientProgress;
  /** The changed maps and runs by row id, without the client record. */
  records: Map<string, RecordChange>;
}

interface SentPush {
  sent: PushBase;
  entries: readonly SendableEntry[];
  response: PushResponse;
}

/**
 * Adds the effects of one push to the effects of earlier pushes. Resolves to undefined if the server's digest differs.
 */
export async function verifyPush(
  options: EffectSources,
  before: VerifiedRound | undefined = emptyRound(options),
  { sent, entries, response }: SentPush,
): Promise<VerifiedRound | undefined> {
  const { effects, results, last_seq, cursor } = response;
  if (!effects || !isPushEffects(effects) || !hasAllAnswers(results, entries)) return undefined;
  if (sent.cursor !== before?.cursor) return undefined;
  const own = ownChanges(before.overlay, { entries, results }, effects);
  if (!own) return undefined;
  const changes = own.changes.filter(({ kind }) => sent.kinds.includes(kind));
  const digest = (await sha256(effectsText(changes))).slice(0, chainDigitCount);
  if (digest !== effects.digest) return undefined;

  const { acked_seq, chain } = effects;
  const rejections = [
    ...before.client.rejections.filter(({ seq }) => seq > acked_seq),
    ...results.flatMap((answer) => (answer.status === 'rejected' ? [{ seq: answer.seq, error: answer.error }] : [])),
  ];
  const client = { last_seq, acked_seq, chain, rejections };
  const records = new Map([...before.records, ...changes.map((change) => [recordRowId(change), change] as const)]);
  const id = before.clientId;
  const clientChange: RecordChange = { kind: 'client', id, version: own.version + 1, deleted: false, doc: client };
  return { ...before, client, cursor, records, changes: [...records.values(), clientChange] };
}

/** Returns a round without effects, from which its first push starts; undefined before the device's first pull. */
function emptyRound({ base, outbox }: EffectSources): VerifiedRound | undefined {
  const { client_id, token, device_id } = outbox.device;
  const from = base.cursor?.cursor;
  if (from === undefined) return undefined;
  return {
    from,
    cursor: from,
    clientId: client_id,
    overlay: new Overlay(base, token === null ? null : device_id),
    client: base.clients.get(client_id) ?? { last_seq: 0, rejections: [] },
    records: new Map(),
    changes: [],
  };
}
