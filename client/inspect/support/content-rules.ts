/** The kinds of rules for the content of records and mutations. A value of an unexpected type is left out. */
import { replaceId, replaceText, type Replacements } from './listed-fields.ts';

/** Returns the value for the support bundle; undefined to leave the value out. */
export type ContentRule = (value: unknown, replacements: Replacements) => unknown;

/** A rule for each field of a shape. A new field without a rule does not compile. */
export type ContentRules<Shape> = { readonly [Field in keyof Shape]-?: ContentRule };

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const textRule =
  (rule: (text: string, replacements: Replacements) => string): ContentRule =>
  (value, replacements) =>
    typeof value === 'string' ? rule(value, replacements) : undefined;

export const keepNumber: ContentRule = (value) => (typeof value === 'number' ? value : undefined);

export const keepFlag: ContentRule = (value) => (typeof value === 'boolean' ? value : undefined);

/** Keeps a UUID, and replaces any other id, which may be a person's text. */
export const keepUuid: ContentRule = textRule(replaceId);

/** Replaces every text, even if it looks like a UUID, a time or a word of the protocol. */
export const replaceTextField: ContentRule = textRule(replaceText);

const keepIf = (isKnown: (text: string) => boolean): ContentRule =>
  textRule((text, replacements) => (isKnown(text) ? text : replaceText(text, replacements)));

export const keepInstant: ContentRule = keepIf((text) => instantForm.test(text));

/**
 * Keeps the words of a protocol type, and replaces other texts. A new word of the type does not compile until it is
 * listed.
 */
export const keepWord = <Word extends string>(words: Readonly<Record<Word, true>>): ContentRule =>
  keepIf((text) => Object.hasOwn(words, text));

/** Makes a rule for a list. Items of an unexpected type are left out. */
export const itemsRule =
  (rule: ContentRule): ContentRule =>
  (value, replacements) =>
    Array.isArray(value)
      ? value.map((item: unknown) => rule(item, replacements)).filter((item) => item !== undefined)
      : undefined;

/** Makes a rule for an object. The rule copies only the fields in `rules`. A field with the value null stays null. */
export const objectRule = <Shape extends object>(rules: ContentRules<Shape>): ContentRule => {
  const listed: [string, ContentRule][] = Object.entries(rules);
  return (value, replacements) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = new Map(Object.entries(value));
    const copied = listed.flatMap(([name, rule]) => {
      const field: unknown = fields.get(name);
      const kept = field === null ? null : rule(field, replacements);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(copied);
  };
};
