export const itemsPerGroup = 50;

/** Divides a list into groups of `itemsPerGroup`; the last one may be shorter. */
export const groupsOf = <Item>(items: readonly Item[]): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / itemsPerGroup) }, (_, index) =>
    items.slice(index * itemsPerGroup, (index + 1) * itemsPerGroup),
  );

export const groupAt = (index: number): number => Math.floor(index / itemsPerGroup);

/** Tells whether a search finds an item: by a part of its name, or by its whole number. */
export function matchesSearch({ name, position }: { name: string; position: number }, query: string): boolean {
  const sought = query.trim().toLocaleLowerCase();
  return name.toLocaleLowerCase().includes(sought) || String(position) === sought;
}
