export const itemsPerGroup = 50;

/** Divides a long list into groups of `itemsPerGroup`, which a screen shows folded. The last group may be shorter. */
export const splitIntoGroups = <Item>(items: readonly Item[]): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / itemsPerGroup) }, (_, index) =>
    items.slice(index * itemsPerGroup, (index + 1) * itemsPerGroup),
  );

export const groupIndexOf = (index: number): number => Math.floor(index / itemsPerGroup);

/** Tells whether the query is a part of the item's name, or exactly the item's position. */
export function matchesSearch({ name, position }: { name: string; position: number }, query: string): boolean {
  const sought = query.trim().toLocaleLowerCase();
  return name.toLocaleLowerCase().includes(sought) || String(position) === sought;
}
