/** Folds a long list into groups by position, with a search by name or number. A short list has no groups. */
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { foldedListTexts } from '../text/phone-on-demand.ts';
import { Field } from '../ui/field.tsx';
import { splitIntoGroups, matchesSearch } from '../recorder/groups.ts';

/** A list with fewer items has no groups, since a person scrolls through it quickly. */
export const foldedItemsMin = 60;

interface FoldedListProps<Item> {
  /** Names the list for screen readers. */
  label: string;
  items: readonly Item[];
  nameOf(item: Item): string;
  /** Returns the item's position, which counts from 1. */
  positionOf(item: Item): number;
  /** The index of the open group; undefined while all groups are closed. */
  group: number | undefined;
  onGroup(group: number | undefined): void;
  /** Renders one group of neighbouring items, or the items that a search found, which may be anywhere in the list. */
  children(shown: readonly Item[], isSearch: boolean): ComponentChildren;
}

export function FoldedList<Item>(props: FoldedListProps<Item>) {
  const { label, items, nameOf, positionOf, group, onGroup, children } = props;
  const [query, setQuery] = useState('');
  const isPrinting = useIsPrinting();
  if (items.length < foldedItemsMin) return <>{children(items, false)}</>;
  // A long `List` renders only the rows in view. A print needs all rows, so it has a short list for each group.
  if (isPrinting) {
    return (
      <>
        {splitIntoGroups(items).map((members, index) => (
          <Fragment key={index}>{children(members, false)}</Fragment>
        ))}
      </>
    );
  }
  const found =
    query.trim() === ''
      ? undefined
      : items.filter((item) => matchesSearch({ name: nameOf(item), position: positionOf(item) }, query));
  return (
    <div class="folded stack">
      <Field
        label={foldedListTexts.search}
        class="search"
        autocomplete="off"
        enterkeyhint="search"
        value={query}
        onValue={setQuery}
      />
      {found ? (
        <>
          <p class="soft" role="status">
            {foldedListTexts.found(found.length, items.length)}
          </p>
          {found.length > 0 && children(found, true)}
        </>
      ) : (
        <ul class="list" role="list" aria-label={foldedListTexts.groups(label)}>
          {splitIntoGroups(items).map((members, index) => {
            const [first, last] = [members[0], members.at(-1)];
            const isOpen = index === group;
            return (
              first !== undefined &&
              last !== undefined && (
                <li key={index} class="folded-group">
                  <button
                    type="button"
                    class="list-row"
                    aria-expanded={isOpen}
                    onClick={() => onGroup(isOpen ? undefined : index)}
                  >
                    <span class="folded-range">{foldedListTexts.range(positionOf(first), positionOf(last))}</span>
                    <span class="list-text soft small">
                      <span>{foldedListTexts.fromTo(nameOf(first), nameOf(last))}</span>
                    </span>
                  </button>
                  {isOpen && children(members, false)}
                </li>
              )
            );
          })}
        </ul>
      )}
    </div>
  );
}

/**
 * Returns whether the page is being printed. Preact renders a change of this value at the end of the `beforeprint`
 * event, before the browser prints.
 */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => setPrinting(true);
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
