import { texts } from './texts.ts';

const centiminutesPattern = /([\d.,\u202f]+)\u00a0cmin/g;

/** Writes out the unit of each time, for screen readers: 125.3 cmin → 125.3 centiminutes. */
export const spokenTimes = (text: string): string =>
  text.replace(centiminutesPattern, (_, number: string) => texts.centiminutes(number.replaceAll('\u202f', '')));
