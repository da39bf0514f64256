/**
 * Copies only the fields of an object that a table of rules lists. The table has a rule for each field of the object's
 * type. If the type gets a new field, the code does not compile until a rule keeps or replaces the new field.
 */
import type { Pseudonyms, PseudonymsOptions } from './pseudonyms.ts';
import type { Json } from '../shapes.ts';

/** The pseudonyms that replace texts, and whether to keep texts instead. */
export interface Replacements {
  pseudonyms: Pseudonyms;
  options: PseudonymsOptions;
}

/** A rule for each field of a shape. `Listed` is the shape of the copy. */
export type FieldRules<Shape, Listed = Shape> = {
  readonly [Field in keyof Shape]-?: (
    value: Exclude<Shape[Field], undefined>,
    replacements: Replacements,
  ) => Field extends keyof Listed ? Listed[Field] : never;
};

export const copyListedFields = <Shape extends object, Listed = Shape>(
  value: Shape,
  rules: FieldRules<Shape, Listed>,
  replacements: Replacements,
): Listed => {
  const names = Object.keys(rules) as (keyof Shape)[];
  const listed = names.filter((name) => value[name] !== undefined);
  const copied = listed.map((name) => {
    const field = value[name] as Exclude<Shape[keyof Shape], undefined>;
    return [name, rules[name](field, replacements)];
  });
  return Object.fromEntries(copied) as Listed;
};

/** Keeps a primitive value. Objects need rules for their fields. */
export const keep = <Value extends string | number | boolean | null>(value: Value): Value => value;

export const replaceText = (text: string, { pseudonyms, options }: Replacements): string =>
  pseudonyms.text(text, options);

export const replaceId = (id: string, { pseudonyms, options }: Replacements): string => pseudonyms.id(id, options);

export const replaceCode = (code: string | null, { pseudonyms, options }: Replacements): string | null =>
  pseudonyms.code(code, options);

export const replaceProblem = (problem: object | null, { pseudonyms, options }: Replacements): Json | null =>
  pseudonyms.problem(problem && { ...problem }, options);

export const replaceFieldName = (name: string, { pseudonyms, options }: Replacements): string =>
  pseudonyms.fieldName(name, options);
