/**
 * The scalar fields of records and requests. `expected` completes the error message "must be ...". The API document
 * shows three more texts: the `title` and the `description` of a schema, and the `meaning` of a field.
 */
import { Type, type TSchema } from 'typebox';
import { deviceMadeIdMin, idMax, nameLengthMax } from './limits.ts';

/** Excludes NUL and lone surrogates, which PostgreSQL cannot store in JSON text. */
const storableCharacter = '[^\\u0000\\ud800-\\udfff]';

/** A text of at most `lengthMax` characters (code points); may be empty. */
export const Text = (lengthMax: number) =>
  Type.String({
    pattern: `^${storableCharacter}{0,${lengthMax}}$`,
    expected: `up to ${lengthMax} characters, without NUL or lone surrogates`,
  });

/** A name has 1-200 characters after white space around it is removed. */
const namePattern = `\\s*(?!\\s)${storableCharacter}{0,${nameLengthMax - 1}}(?!\\s)${storableCharacter}\\s*$`;
export const Name = Type.String({
  pattern: `^${namePattern}`,
  expected: `1 to ${nameLengthMax} characters, not only white space`,
});

/**
 * The characters that nobody can see: white space, controls, Unicode's default ignorable code points (zero-width and
 * bidirectional marks, fillers, variation selectors, tags), annotation anchors, the braille blank, the empty note head.
 */
const invisibleCharacters = [
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e',
  '\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb',
  '\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
].join('');

/** A text of at most `lengthMax` characters: empty, or with at least one that people can see. */
export const EmptyOrVisibleText = (lengthMax: number) =>
  Type.String({
    pattern: `^(?:$|(?=[${invisibleCharacters}]*[^${invisibleCharacters}]))${storableCharacter}{0,${lengthMax}}$`,
    expected: `up to ${lengthMax} characters, of which one can be seen, or none`,
  });

/** A text of 1 to `lengthMax` characters, of which people can see at least one. */
export const VisibleText = (lengthMax: number) =>
  Type.String({
    pattern: `^(?=[${invisibleCharacters}]*[^${invisibleCharacters}])${storableCharacter}{1,${lengthMax}}$`,
    expected: `1 to ${lengthMax} characters, of which one can be seen`,
  });

/**
 * A name in a request, with at least one visible character. Stored records use `Name`, since earlier versions accepted
 * invisible names.
 */
export const NameInput = Type.String({
  pattern: `^(?=[${invisibleCharacters}]*[^${invisibleCharacters}])${namePattern}`,
  expected: `1 to ${nameLengthMax} characters, of which one can be seen`,
});

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
export const Uuid = Type.String({ pattern: uuidPattern, expected: 'a UUID' });

/** An instant in ISO 8601 UTC. Responses have milliseconds; requests may have fewer or more digits. */
export const Instant = Type.String({
  format: 'instant',
  expected: 'a time in ISO 8601 UTC, such as 2026-04-01T09:30:00.000Z',
});

/** The id of a stage or a run. */
export const IntegerId = Type.Integer({ minimum: 1, maximum: idMax, expected: 'an integer from 1 to 2^53-1' });

/**
 * An id that a device made, from 2^31 to 2^53-1. The server makes lower ids. The domain rules refuse a lower id from a
 * device, but this schema does not.
 */
export const DeviceMadeId = Type.Integer({
  minimum: 1,
  maximum: idMax,
  expected: `an integer from ${deviceMadeIdMin} to 2^53-1`,
});

export const RecordingSessionId = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,128}$',
  expected: '1 to 128 characters of A-Z a-z 0-9 . _ : -',
});

export const WorkType = Type.Enum(['valuable', 'incidental', 'waste'], {
  title: 'WorkType',
  description: 'How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.',
  expected: 'valuable, incidental or waste',
});
export type WorkType = 'valuable' | 'incidental' | 'waste';

export const MapState = Type.Enum(['current', 'future'], {
  title: 'MapState',
  description: 'A process as it is, `current`, or as it should become, `future`.',
  expected: 'current or future',
});
export type MapState = 'current' | 'future';

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** Adds a meaning to a schema. Copies property descriptors, since a spread would lose TypeBox's hidden properties. */
export const Described = <Schema extends TSchema>(schema: Schema, meaning: string): Schema =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), meaning: textDescriptor(meaning) },
  ) as Schema;

export function meaningOf(schema: TSchema): string {
  return 'meaning' in schema && typeof schema.meaning === 'string' ? schema.meaning : '';
}

const textDescriptor = (value: string): PropertyDescriptor => ({
  value,
  enumerable: true,
  configurable: true,
  writable: true,
});

/** The title and description of a schema in the API document. */
export interface SchemaWords {
  title: string;
  description: string;
}

/** An object schema that refuses unknown fields, so that a misspelled field is not lost silently. */
export const Closed = <T extends Parameters<typeof Type.Object>[0]>(fields: T, words?: SchemaWords) =>
  Type.Object(fields, { additionalProperties: false, ...words });
