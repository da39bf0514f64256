/**
 * Checks that the body of a successful response is from Gemba. A captive portal, a proxy or a partial deployment may
 * send other JSON, which must not overwrite the device's records. Unknown fields are allowed.
 */
import { isObject, type JsonObject } from '../../core/json-object.ts';
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';

/**
 * Checks a push response. `lastSent` is the highest sequence number in the batch. Gemba stores whole batches, so a
 * response with a lower `last_seq` is not from Gemba.
 */
export function isPushResponse(body: JsonObject, lastSent: number): boolean {
  const { results, last_seq, cursor } = body as Partial<PushResponse>;
  return (
    Array.isArray(results) && Number.isSafeInteger(last_seq) && last_seq! >= lastSent && typeof cursor === 'string'
  );
}

export function isPullResponse(body: JsonObject, after: string): boolean {
  const { changes, cursor, has_more, epoch, account_id } = body as Partial<PullResponse>;
  const hasIds = isText(cursor) && isText(epoch) && isText(account_id);
  const isPage = hasIds && Array.isArray(changes) && typeof has_more === 'boolean';
  // If a page with `has_more` did not advance the cursor, the device would request the same page for ever.
  return isPage && !(has_more && cursor === after) && changes.every(isChange);
}

function isChange(change: unknown): boolean {
  if (!isObject(change)) return false;
  const { kind, id, version, deleted, doc } = change as Partial<RecordChange>;
  if (!Number.isSafeInteger(version) || typeof deleted !== 'boolean') return false;
  if (deleted) return true;
  switch (kind) {
    case 'map':
      return isObject(doc) && doc['id'] === id && typeof doc['name'] === 'string' && Array.isArray(doc['stages']);
    case 'run':
      return isObject(doc) && doc['id'] === id && isText(doc['map_id']) && Array.isArray(doc['steps']);
    case 'client':
      return isObject(doc) && Number.isSafeInteger(doc['last_seq']) && areRejections(doc['rejections']);
    default:
      return false;
  }
}

const areRejections = (rejections: unknown): boolean =>
  Array.isArray(rejections) &&
  rejections.every((it) => isObject(it) && Number.isSafeInteger(it['seq']) && isProblem(it['error']));

const isProblem = (error: unknown): boolean => isObject(error) && isText(error['code']) && isText(error['detail']);

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
