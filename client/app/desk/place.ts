/** Decides what the panes of the desk show at a path. */
import { matchPath } from '../shell/router.tsx';

export type DeskPlace =
  /** One screen across the whole desk. */
  { is: 'page'; hasBack: boolean } | { is: 'panes'; mapId?: string; detail?: DeskDetail };

export interface DeskDetail {
  /** The path of the screen in the third pane. A phone shows the same screen at this path. */
  path: string;
  /** The path of the desk after this detail closes. */
  closeTo: string;
  /** True for a screen that leads back to another detail. */
  hasBack: boolean;
}

const pagePathPattern = /^\/(?:maps\/bin|sync|attention|devices|account)(?:\/|$)/;

/** The rail links to these paths, so their pages need no link back. The rail's link to /sync is the sync status. */
const hasRailLink = (path: string): boolean => ['/devices', '/account', '/sync'].includes(path);

/** `recordedMapId` is the map of the recording under way. */
export function placeAt(path: string, recordedMapId: string | undefined): DeskPlace {
  if (pagePathPattern.test(path)) return { is: 'page', hasBack: !hasRailLink(path) };
  if (path === '/record') {
    const closeTo = recordedMapId === undefined ? '/' : `/maps/${recordedMapId}`;
    const detail = { path, closeTo, hasBack: false };
    return recordedMapId === undefined ? { is: 'panes', detail } : { is: 'panes', mapId: recordedMapId, detail };
  }
  if (path === '/' || path === '/maps') return { is: 'panes' };
  const run = matchPath('/maps/:mapId/runs/:runId', path) ?? matchPath('/maps/:mapId/compare/:runs', path);
  const beside = matchPath('/maps/:mapId/beside', path) ?? matchPath('/maps/:mapId/beside/:otherId', path);
  const steps = matchPath('/maps/:mapId/runs/:runId/steps', path);
  const mapId = (run ?? steps ?? beside)?.mapId;
  if (mapId !== undefined) {
    return {
      is: 'panes',
      mapId,
      detail: { path, closeTo: `/maps/${mapId}`, hasBack: steps !== undefined },
    };
  }
  // On a phone, these paths lead to a map, its list of runs, and a choice of runs. A desk shows all three in one pane.
  const map =
    matchPath('/maps/:mapId', path) ??
    matchPath('/maps/:mapId/runs', path) ??
    matchPath('/maps/:mapId/choose', path) ??
    matchPath('/maps/:mapId/choose/:runs', path);
  return map ? { is: 'panes', mapId: map.mapId } : { is: 'page', hasBack: true };
}

/** `/maps/ID/compare/7,9` and `/maps/ID/choose/7,9` → [7, 9]. Other paths → []. */
export function comparedRunIdsAt(path: string): number[] {
  const compared = matchPath('/maps/:mapId/compare/:runs', path) ?? matchPath('/maps/:mapId/choose/:runs', path);
  return compared ? compared.runs.split(',').map(Number).filter(Number.isSafeInteger) : [];
}
