import { Type, type TSchema } from 'typebox';
import { Closed, Described, Nullable, type SchemaWords } from './fields.ts';

/** Builds the schema of one page of a list; the parameter `data` describes the page's rows. */
export const PageSchema = <Item extends TSchema>(item: Item, { data, ...words }: SchemaWords & { data: string }) =>
  Closed(
    {
      data: Described(Type.Array(item), data),
      next_cursor: Described(Nullable(Type.String()), 'Where the next page begins; null on the last one.'),
    },
    words,
  );
