import { texts } from './texts.ts';

const centiminutes = /([\d.,\u202f]+)\u00a0cmin/g;

/** Writes the unit of each time as a word, for what only a screen reader says: 125.3 cmin → 125.3 centiminutes. */
export const spokenTimes = (text: string): string =>
  text.replace(centiminutes, (_, number: string) => texts.centiminutes(number.replaceAll('\u202f', '')));
