/** Names the things that a history has seen: each pair of faults that met, and each state that a device showed. */
import type { SeedOutcome } from '../fleet/simulate.ts';

/** Two faults met if at most this many acts lie between them. */
const actsBetweenMax = 6;

export function coverageOf({ faultsMet, states }: Pick<SeedOutcome, 'faultsMet' | 'states'>): string[] {
  const seen = new Set<string>(states.map((state) => `state ${state}`));
  faultsMet.forEach(({ act, fault }, index) => {
    seen.add(`fault ${fault}`);
    for (const later of faultsMet.slice(index + 1)) {
      if (later.act - act > actsBetweenMax) break;
      if (later.fault !== fault) seen.add(`pair ${[fault, later.fault].toSorted().join(' + ')}`);
    }
  });
  return [...seen];
}

/** Counts by the first word of the names. */
export function coverageCounts(seen: ReadonlySet<string>): Record<'fault' | 'pair' | 'state', number> {
  const counts = { fault: 0, pair: 0, state: 0 };
  for (const name of seen) counts[name.slice(0, name.indexOf(' ')) as keyof typeof counts] += 1;
  return counts;
}
