/** Parses the ids in a path. An invalid id is refused with the same 404 as an unknown id. */
import { idMax } from '../../../shared/schema/limits.ts';
import { isLowerCaseUuid } from './list.ts';
import type { RefusedReply } from '../route-reply.ts';

export type PathIdResult<Id> = { ok: true; id: Id } | RefusedReply;

export function parseMapId(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['id'], mapNotFoundRefusal);
}

export function parseStageId(params: Record<string, string>): PathIdResult<number> {
  const id = parseIntegerId(params['stage_id']);
  const detail = `The map has no stage ${params['stage_id']}.`;
  return id === undefined ? { ok: false, error: { code: 'stage_not_found', detail } } : { ok: true, id };
}

export function parseRunId(params: Record<string, string>): PathIdResult<number> {
  const id = parseIntegerId(params['run_id']);
  return id === undefined ? runNotFoundRefusal(params['run_id'] ?? '') : { ok: true, id };
}

export function parseDeviceId(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['device_id'], deviceNotFoundRefusal);
}

export function parseKeyId(params: Record<string, string>): PathIdResult<string> {
  return parseUuid(params['id'], keyNotFoundRefusal);
}

export function deviceNotFoundRefusal(deviceId: string): RefusedReply {
  return { ok: false, error: { code: 'device_not_found', detail: `There is no device ${deviceId}.` } };
}

export function keyNotFoundRefusal(keyId: string): RefusedReply {
  return { ok: false, error: { code: 'key_not_found', detail: `There is no key ${keyId}.` } };
}

export function mapNotFoundRefusal(mapId: string): RefusedReply {
  return { ok: false, error: { code: 'map_not_found', detail: `There is no map ${mapId}.` } };
}

export function runNotFoundRefusal(runId: string | number): RefusedReply {
  return { ok: false, error: { code: 'run_not_found', detail: `There is no run ${runId}.` } };
}

function parseUuid(text = '', notFound: (text: string) => RefusedReply): PathIdResult<string> {
  const id = text.toLowerCase();
  return isLowerCaseUuid(id) ? { ok: true, id } : notFound(text);
}

function parseIntegerId(text: string | undefined): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : NaN;
  return id <= idMax ? id : undefined;
}
