/** The rules for the content of records and mutations. A value of another type than that of its field is left out. */
import { replaceId, replaceText, type Replacing } from './listed-fields.ts';

/** Returns what the file for support has in place of a value; undefined to leave it out. */
export type ContentRule = (value: unknown, replacing: Replacing) => unknown;

/** Has a rule for each field of a shape. A new field of the shape does not compile before it has one. */
export type ContentRules<Shape> = { readonly [Field in keyof Shape]-?: ContentRule };

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const forText =
  (rule: (text: string, replacing: Replacing) => string): ContentRule =>
  (value, replacing) =>
    typeof value === 'string' ? rule(value, replacing) : undefined;

export const keepNumber: ContentRule = (value) => (typeof value === 'number' ? value : undefined);

export const keepFlag: ContentRule = (value) => (typeof value === 'boolean' ? value : undefined);

/** Keeps a UUID. Any other id may be a text of a person. */
export const keepUuid: ContentRule = forText(replaceId);

/** Replaces each text, also one that has the form of a UUID, a time or a word of the protocol. */
export const replaceTextField: ContentRule = forText(replaceText);

const keepIf = (isKnown: (text: string) => boolean): ContentRule =>
  forText((text, replacing) => (isKnown(text) ? text : replaceText(text, replacing)));

export const keepInstant: ContentRule = keepIf((text) => instantForm.test(text));

/** Keeps the words of a type of the protocol. A new word of the type does not compile before it is listed. */
export const keepWord = <Word extends string>(words: Readonly<Record<Word, true>>): ContentRule =>
  keepIf((text) => Object.hasOwn(words, text));

/** Makes a rule for a list. An item of another type is left out. */
export const eachItem =
  (rule: ContentRule): ContentRule =>
  (value, replacing) =>
    Array.isArray(value)
      ? value.map((item: unknown) => rule(item, replacing)).filter((item) => item !== undefined)
      : undefined;

/** Makes a rule for an object, of which the listed fields are kept, and no others. A field may be null. */
export const fieldsIn = <Shape extends object>(rules: ContentRules<Shape>): ContentRule => {
  const listed: [string, ContentRule][] = Object.entries(rules);
  return (value, replacing) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = new Map(Object.entries(value));
    const copied = listed.flatMap(([name, rule]) => {
      const field: unknown = fields.get(name);
      const kept = field === null ? null : rule(field, replacing);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(copied);
  };
};
