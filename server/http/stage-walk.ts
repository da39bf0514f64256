/**
 * A walk through the stages of a map in pages. Positions shift while people reorder, so the walk goes by what it has
 * shown already: each page takes the first stages, as they stand now, that no page before had. Ids are never used again.
 */
import type { Stage } from '../../shared/schema/stage.ts';

/** The ids that were shown and still exist, ascending. */
type Walk = number[];

export function nextStages(
  stages: Stage[],
  position: string | undefined,
  limit: number,
): { page: Stage[]; walk: Walk | null } {
  const shown = new Set(position === undefined ? [] : walkOf(position));
  const rest = stages.filter(({ id }) => !shown.has(id));
  const page = rest.slice(0, limit);
  for (const { id } of page) shown.add(id);
  const still = stages.map(({ id }) => id).filter((id) => shown.has(id));
  return { page, walk: rest.length > limit ? still.toSorted((a, b) => a - b) : null };
}

/** The gaps between the ids in base 36, so that a cursor of many stages still fits into a URL. */
export function walkText(walk: Walk): string {
  return walk.map((id, index) => (id - (walk[index - 1] ?? 0)).toString(36)).join('~');
}

function walkOf(text: string): Walk {
  let id = 0;
  return text.split('~').map((gap) => (id += Number.parseInt(gap, 36)));
}
