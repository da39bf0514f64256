import { Type, type TSchema } from 'typebox';
import { Closed, Described, Nullable, type Words } from './fields.ts';

/** The envelope of a list: a page of it. `data` says what the rows of the page are. */
export const Page = <Item extends TSchema>(item: Item, { data, ...words }: Words & { data: string }) =>
  Closed(
    {
      data: Described(Type.Array(item), data),
      next_cursor: Described(Nullable(Type.String()), 'Where the next page begins; null on the last one.'),
    },
    words,
  );
