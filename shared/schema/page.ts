import { Type, type TSchema } from 'typebox';
import { Closed, Described, Nullable, type Words } from './fields.ts';

/** One page of a list; `data` describes the rows of the page. */
export const Page = <Item extends TSchema>(item: Item, { data, ...words }: Words & { data: string }) =>
  Closed(
    {
      data: Described(Type.Array(item), data),
      next_cursor: Described(Nullable(Type.String()), 'Where the next page begins; null on the last one.'),
    },
    words,
  );
