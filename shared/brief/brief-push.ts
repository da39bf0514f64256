/**
 * The brief form of a push that contains only recordings: a list instead of an object, without values that the server
 * knows or can compute. Devices send such pushes most often, and mobile networks charge by the byte.
 *
 *   push and its headers ─► brief form ─► zlib ──► server ──► zlib ─► push and its headers ─► same check? ─► as any push
 *
 * The check is a hash of the push. The server refuses the push if it does not rebuild exactly what the device meant.
 */
import { canonicalJson } from '../protocol/canonical-json.ts';
import type { PushBase } from '../protocol/effects.ts';
import { pullableKinds } from '../protocol/pullable-kinds.ts';
import type { PushRequest } from '../protocol/push.ts';
import { toBriefRecording, restoreRecording, type BriefContext } from './brief-recording.ts';
import { restoreHash, restoreId, timeOfMs, shortenHash, shortenId, msOfTime } from './short-texts.ts';
import { briefOrUndefined, NoBriefFormError } from './no-brief-form.ts';

/** The media type of zlib (RFC 6713), which compresses the JSON of a `BriefPush`. */
export const briefMediaType = 'application/zlib';

/** Limits the JSON of the list, so that it never exceeds what servers accept. */
export const briefCharsMax = 64 * 1024;

/**
 * Limits the JSON of a push before it is turned into a list: a longer push seldom gives a list that is short enough.
 */
export const usualFormCharsMax = 256 * 1024;

/** A push, with the content of its headers. */
export interface PushWithHeaders {
  protocol: number;
  base: PushBase;
  request: PushRequest;
}

export type BriefPush = unknown[];

/** Returns the text whose SHA-256 gives the check. */
export const checkedTextOf = ({ protocol, base, request }: PushWithHeaders): string =>
  canonicalJson([protocol, base.cursor, kindsOf(base), request]);

/** Returns the check of a brief push: 72 bits of the SHA-256 of the checked text, given in hexadecimal digits. */
export const pushCheckOf = (sha256: string): string => shortenHash(sha256.slice(0, 32)).slice(0, 12);

const kindsOf = ({ kinds }: PushBase): PushBase['kinds'] => pullableKinds.filter((kind) => kinds.includes(kind));

const requestKeyCount = 7;

/** Returns the brief form; undefined for a push that must be sent in the usual form. */
export function toBriefPush(
  { protocol, base, request }: PushWithHeaders,
  { check, digestOf }: { check: string } & Pick<BriefContext, 'digestOf'>,
): BriefPush | undefined {
  return briefOrUndefined(() => {
    const { client_id, account_id, acked_seq, offered_seq, chain, sent_at, mutations } = request;
    const [first] = mutations;
    const hasAllKeys = Object.keys(request).length === requestKeyCount && account_id && offered_seq !== undefined;
    const isInOrder = mutations.every(({ seq }, index) => seq === first!.seq + index);
    if (!first || !hasAllKeys || !isInOrder) throw new NoBriefFormError();
    const sentMs = msOfTime(sent_at);
    const kinds = kindsOf(base).length === pullableKinds.length ? 0 : kindsOf(base);
    const chained = chain === '' ? '' : shortenHash(chain ?? '');
    const recordings = mutations.map((mutation) => toBriefRecording(mutation, { sentMs, digestOf }));
    const head = [protocol, base.cursor, kinds, shortenId(client_id), acked_seq, offered_seq, chained, sentMs, check];
    return [...head, first.seq, ...recordings];
  });
}

const headLength = 10;

/**
 * Rebuilds the push; undefined if no device makes such a list. The account is not in the list but comes from the token.
 * The check shows whether the device meant the same account.
 */
export function restorePush(
  brief: unknown,
  { accountId, digestOf }: { accountId: string } & Pick<BriefContext, 'digestOf'>,
): { push: PushWithHeaders; check: unknown } | undefined {
  if (!Array.isArray(brief) || brief.length <= headLength || !isWithoutObjects(brief)) return undefined;
  return briefOrUndefined(() => {
    const [protocol, cursor, kinds, client, acked_seq, offered_seq, chain, sent, check, seq] = brief as unknown[];
    const sent_at = timeOfMs(sent);
    const context = { sentMs: sent as number, digestOf };
    if (!Number.isSafeInteger(protocol) || !Number.isSafeInteger(seq) || typeof cursor !== 'string')
      throw new NoBriefFormError();
    const base = {
      cursor,
      kinds: kinds === 0 ? pullableKinds : pullableKinds.filter((kind) => isListWith(kinds, kind)),
    };
    const mutations = (brief as unknown[])
      .slice(headLength)
      .map((recording, index) => restoreRecording(recording, (seq as number) + index, context));
    const request = {
      client_id: restoreId(client),
      account_id: accountId,
      acked_seq: acked_seq as number,
      offered_seq: offered_seq as number,
      sent_at,
      chain: chain === '' ? '' : restoreHash(chain),
      mutations,
    };
    return { push: { protocol: protocol as number, base, request }, check };
  });
}

/**
 * Tells whether a value is JSON without objects. Infinity is not allowed: `JSON.parse` reads 1e400 as Infinity, which
 * has no canonical text to hash.
 */
const isWithoutObjects = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isWithoutObjects)
    : value === null || (typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object');

const isListWith = (kinds: unknown, kind: string): boolean => Array.isArray(kinds) && kinds.includes(kind);
