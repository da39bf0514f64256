import { prepareQuery, type RxDocumentData, type RxJsonSchema } from 'rxdb';
import type { Row } from './rows.ts';

const idLengthMax = 200;

/** What RxDB is told of a collection whose rows have such a body. */
export function rowSchema(body: object, version: number): RxJsonSchema<Row<never>> {
  return {
    version,
    type: 'object',
    primaryKey: 'id',
    // One that was removed has no body.
    properties: { id: { type: 'string', maxLength: idLengthMax }, body: { anyOf: [body, { type: 'null' }] } },
    required: ['id', 'body'],
  };
}

/** All that were not removed. */
export function allRows<Body>(schema: RxJsonSchema<RxDocumentData<Row<Body>>>) {
  return prepareQuery<Row<Body>>(schema, { selector: {}, sort: [{ id: 'asc' }], skip: 0 });
}
