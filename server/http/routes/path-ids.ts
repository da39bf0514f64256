/** Parses the ids in a path. An invalid id is refused with the same 404 as an unknown id. */
import { idMax } from '../../../shared/schema/limits.ts';
import { isUuid } from './list.ts';
import type { RefusedReply } from '../route-reply.ts';

export type PathIdResult<Id> = { ok: true; id: Id } | RefusedReply;

export function mapIdIn(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['id'], mapNotFound);
}

export function stageIdIn(params: Record<string, string>): PathIdResult<number> {
  const id = parseIntegerId(params['stage_id']);
  const detail = `The map has no stage ${params['stage_id']}.`;
  return id === undefined ? { ok: false, error: { code: 'stage_not_found', detail } } : { ok: true, id };
}

export function runIdIn(params: Record<string, string>): PathIdResult<number> {
  const id = parseIntegerId(params['run_id']);
  return id === undefined ? runNotFound(params['run_id'] ?? '') : { ok: true, id };
}

export function deviceIdIn(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['device_id'], deviceNotFound);
}

export function keyIdIn(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['id'], keyNotFound);
}

export function deviceNotFound(deviceId: string): RefusedReply {
  return { ok: false, error: { code: 'device_not_found', detail: `There is no device ${deviceId}.` } };
}

export function keyNotFound(keyId: string): RefusedReply {
  return { ok: false, error: { code: 'key_not_found', detail: `There is no key ${keyId}.` } };
}

export function mapNotFound(mapId: string): RefusedReply {
  return { ok: false, error: { code: 'map_not_found', detail: `There is no map ${mapId}.` } };
}

export function runNotFound(runId: string | number): RefusedReply {
  return { ok: false, error: { code: 'run_not_found', detail: `There is no run ${runId}.` } };
}

function parseUuid(text = '', notFound: (text: string) => RefusedReply): PathIdResult<string> {
  const id = text.toLowerCase();
  return isUuid(id) ? { ok: true, id } : notFound(text);
}

function parseIntegerId(text: string | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN;
  return id <= idMax ? id : undefined;
}
