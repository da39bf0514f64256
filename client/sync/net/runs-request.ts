/** Requests runs that a device with a scope does not hold. Loaded with the first such request. */
import type { RunsQuery, RunsResponse } from '../../../shared/protocol/runs-on-demand.ts';
import { nextCursorHeader } from '../../../shared/protocol/version.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { isText } from './parse-response.ts';
import type { RequestJson } from './transport.ts';

/**
 * Selects runs by `ids`, or the runs of `mapId` whose run numbers are below `before`. `cursor` tells how far the device
 * has pulled.
 */
export interface RunsRequestOptions {
  cursor: string;
  accountId?: string;
  ids?: readonly number[];
  mapId?: string;
  before?: number;
  limit?: number;
  page?: string;
}

export interface RunsPage {
  body: RunsResponse;
  next?: string;
}

export async function requestRuns(
  requestJson: RequestJson,
  { cursor, accountId, ids, mapId, before, limit, page }: RunsRequestOptions,
  signal: AbortSignal,
): Promise<RunsPage> {
  const query: { [Field in keyof RunsQuery]: string } = {
    cursor,
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(ids === undefined ? {} : { ids: ids.join(',') }),
    ...(mapId === undefined ? {} : { map_id: mapId }),
    ...(before === undefined ? {} : { before: String(before) }),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(page === undefined ? {} : { page }),
  };
  let next: string | undefined;
  const onHeaders = (headers: Headers) => void (next = headers.get(nextCursorHeader) ?? undefined);
  const body = await requestJson<RunsResponse>(
    `sync/runs?${new URLSearchParams(query)}`,
    { signal, onHeaders },
    isRunsResponse,
  );
  return { body, ...(next === undefined ? {} : { next }) };
}

const isRunsResponse = ({ runs, newer, epoch }: JsonObject): boolean =>
  Array.isArray(runs) &&
  runs.every(isRun) &&
  Array.isArray(newer) &&
  newer.every(Number.isSafeInteger) &&
  isText(epoch);

const isRun = (run: unknown): boolean =>
  isObject(run) &&
  [run['id'], run['version'], run['number']].every(Number.isSafeInteger) &&
  isText(run['map_id']) &&
  Array.isArray(run['steps']);
