/** The texts of the app by language, and the words in them. */
import * as german from '../../../client/app/text/de/texts.ts';
import * as germanAccount from '../../../client/app/text/de/phone-account.ts';
import * as germanDesk from '../../../client/app/text/de/desk.ts';
import * as germanInterchange from '../../../client/app/text/de/phone-interchange.ts';
import * as germanOnDemand from '../../../client/app/text/de/phone-on-demand.ts';
import * as germanPairing from '../../../client/app/text/de/pairing.ts';
import * as germanPhone from '../../../client/app/text/de/phone.ts';
import * as germanMaps from '../../../client/app/text/de/phone-maps.ts';
import * as germanRelay from '../../../client/app/text/de/phone-relay.ts';
import * as germanRuns from '../../../client/app/text/de/phone-runs.ts';
import * as germanUpdate from '../../../client/app/text/de/update.ts';
import * as germanWatch from '../../../client/app/text/de/watch.ts';
import * as english from '../../../client/app/text/en/texts.ts';
import * as englishAccount from '../../../client/app/text/en/phone-account.ts';
import * as englishDesk from '../../../client/app/text/en/desk.ts';
import * as englishInterchange from '../../../client/app/text/en/phone-interchange.ts';
import * as englishOnDemand from '../../../client/app/text/en/phone-on-demand.ts';
import * as englishPairing from '../../../client/app/text/en/pairing.ts';
import * as englishPhone from '../../../client/app/text/en/phone.ts';
import * as englishMaps from '../../../client/app/text/en/phone-maps.ts';
import * as englishRelay from '../../../client/app/text/en/phone-relay.ts';
import * as englishRuns from '../../../client/app/text/en/phone-runs.ts';
import * as englishUpdate from '../../../client/app/text/en/update.ts';
import * as englishWatch from '../../../client/app/text/en/watch.ts';

export const appTexts = {
  en: {
    ...english,
    ...englishPhone,
    ...englishWatch,
    ...englishInterchange,
    ...englishOnDemand,
    ...englishRuns,
    ...englishRelay,
    ...englishMaps,
    ...englishPairing,
    ...englishAccount,
    ...englishDesk,
    ...englishUpdate,
  },
  de: {
    ...german,
    ...germanPhone,
    ...germanWatch,
    ...germanInterchange,
    ...germanOnDemand,
    ...germanRuns,
    ...germanRelay,
    ...germanMaps,
    ...germanPairing,
    ...germanAccount,
    ...germanDesk,
    ...germanUpdate,
  },
};

export type Language = keyof typeof appTexts;
export type AppTexts = (typeof appTexts)['en'];

/**
 * Returns the words that occur in English texts but not in German ones. If a text is a function, its source is read.
 */
export function englishOnlyWords(): Set<string> {
  const inGerman = wordsOf(appTexts.de);
  return new Set([...wordsOf(appTexts.en)].filter((word) => !inGerman.has(word)));
}

export const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

function wordsOf(texts: unknown): Set<string> {
  if (typeof texts === 'string') return new Set(wordsIn(texts));
  if (typeof texts === 'function') return new Set(literalsOf(String(texts)).flatMap(wordsIn));
  if (typeof texts !== 'object' || texts === null) return new Set();
  return new Set(Object.values(texts).flatMap((text: unknown) => [...wordsOf(text)]));
}

/** Returns the texts within quotation marks, without `${…}`. */
const literalsOf = (code: string): string[] =>
  [...code.matchAll(/`([^`]*)`|'([^']*)'|"([^"]*)"/g)].map(([, ...literal]) =>
    (literal.find((text) => text !== undefined) ?? '').replace(/\$\{[^}]*\}?/g, ' '),
  );
