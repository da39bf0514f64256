import type { MapDoc } from '../../../shared/schema/map.ts';
import type { Store } from '../../store/store.ts';
import type { Caller } from '../../core/caller.ts';
import { parseMapId, mapNotFoundRefusal } from './path-ids.ts';
import type { RefusedReply } from '../route-reply.ts';

/** Returns the map whose id is in the path. A map in the recycle bin is refused with the code `map_deleted`. */
export async function findReadableMap(
  store: Store,
  caller: Caller,
  params: Record<string, string>,
): Promise<{ ok: true; map: MapDoc } | RefusedReply> {
  const mapId = parseMapId(params);
  if (!mapId.ok) return mapId;
  const map = await store.map(caller.accountId, mapId.id);
  if (!map) return mapNotFoundRefusal(mapId.id);
  if (!map.deleted) return { ok: true, map };
  const detail = `The map "${map.name}" is in the recycle bin; restore it to read it.`;
  return { ok: false, error: { code: 'map_deleted', detail }, status: 404 };
}
