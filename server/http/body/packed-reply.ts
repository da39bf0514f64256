/**
 * Packs the lists in the body of a reply (shared/packed), if the client accepts that form at least as well as plain
 * JSON.
 */
import { packedMediaType } from '../../../shared/packed/column.ts';
import { packBody } from '../../../shared/packed/pack.ts';
import { successReply, type SuccessReply } from '../../core/reply.ts';

interface PackedReplyOptions {
  accept: string | undefined;
  headers?: Record<string, string>;
}

export function packedReply(body: object, { accept, headers = {} }: PackedReplyOptions): SuccessReply {
  const packed = prefersPacked(accept) ? packBody(body as Record<string, unknown>) : undefined;
  const reply = packed
    ? successReply(200, packed, { ...headers, 'Content-Type': packedMediaType })
    : successReply(200, body, headers);
  return { ...reply, vary: ['Accept'] };
}

/** Ignores wildcards, since only a client that names the packed form can read it. */
export function prefersPacked(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(mediaRangeOf);
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0;
  const weight = weightOf(packedMediaType);
  return weight > 0 && weight >= weightOf('application/json');
}

function mediaRangeOf(text: string): { type: string; weight: number } {
  const parts = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parts.find((part) => part.startsWith('q='));
  const type = parts.filter((part) => part !== weight).join(';');
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
}
