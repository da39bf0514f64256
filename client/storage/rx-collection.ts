/** Converts collections and rows to RxDB's terms, and back. */
import {
  fillWithDefaultSettings,
  now,
  randomToken,
  type RxDocumentData,
  type RxStorageInstanceCreationParams,
} from 'rxdb';
import type { Collection, StoredRow } from './row-store.ts';

export interface RxRow {
  id: string;
  body: unknown;
}

const idLengthMax = 200;

export function toRxCollection(databaseName: string, { name, version, isShared, bodySchema }: Collection) {
  return {
    databaseInstanceToken: randomToken(10),
    databaseName,
    collectionName: name,
    schema: fillWithDefaultSettings<RxRow>({
      version,
      type: 'object',
      primaryKey: 'id',
      // A tombstone has a null body.
      properties: {
        id: { type: 'string', maxLength: idLengthMax },
        body: { anyOf: [bodySchema ?? { type: 'object' }, { type: 'null' }] },
      },
      required: ['id', 'body'],
    }),
    options: {},
    multiInstance: isShared,
    devMode: false,
  } satisfies RxStorageInstanceCreationParams<RxRow, object>;
}

export const documentOf = <Body>({ id, revision, body }: StoredRow<Body>): RxDocumentData<RxRow> => ({
  id,
  body,
  _deleted: body === null,
  _attachments: {},
  _meta: { lwt: now() },
  _rev: `${revision}-gemba`,
});

/** Converts RxDB's document to a row. The cast to `Body` is safe, since only one table writes to the collection. */
export const storedRowOf = <Body>({ id, body, _deleted, _rev }: RxDocumentData<RxRow>): StoredRow<Body> => ({
  id,
  revision: Number.parseInt(_rev, 10),
  body: _deleted ? null : (body as Body | null),
});
