/** Stores on this device which future-state map was planned from which current-state map. */
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

const storageKey = 'gemba-future-states';
/** Only the latest pairs are stored. A person can still choose any two maps to compare. */
const mapPairsMax = 200;

interface MapPair {
  currentId: string;
  futureId: string;
}

export function rememberFutureState(plan: MapPair): void {
  const plans = [...readMapPairs(), plan].slice(-mapPairsMax);
  writePageStorage('localStorage', storageKey, JSON.stringify(plans));
}

/** Finds the latest pair with the map, and returns the id of the pair's other map; undefined if there is no pair. */
export function plannedCounterpartId(mapId: string): string | undefined {
  const plan = readMapPairs().findLast(({ currentId, futureId }) => currentId === mapId || futureId === mapId);
  return plan && (plan.currentId === mapId ? plan.futureId : plan.currentId);
}

function readMapPairs(): MapPair[] {
  try {
    const stored: unknown = JSON.parse(readPageStorage('localStorage', storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isMapPair) : [];
  } catch {
    return [];
  }
}

function isMapPair(value: unknown): value is MapPair {
  const isText = (field: unknown) => typeof field === 'string';
  return (
    value instanceof Object &&
    'currentId' in value &&
    'futureId' in value &&
    isText(value.currentId) &&
    isText(value.futureId)
  );
}
