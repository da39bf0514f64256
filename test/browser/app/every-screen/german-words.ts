/** Finds English words on the screens of a German device. */
import type { Page } from 'playwright-core';
import { englishOnlyWords, wordsIn } from '../app-words.ts';

/** The languages of a device in Austria, of which the app has no French. */
export const austrianLanguages = ['fr-FR', 'de-AT', 'en-US'];

export interface WordsReader {
  /** All that a person read or heard so far. */
  seen: string[];
  /** Returns the English words that the page shows now. */
  findEnglish(page: Page): Promise<string[]>;
}

export function createWordsReader(): WordsReader {
  const english = englishOnlyWords();
  // The server stores the names of the account and of its key in English.
  for (const word of wordsIn('First account, First key')) english.delete(word);
  const seen: string[] = [];
  return {
    seen,
    async findEnglish(page) {
      const shown = await readShownTexts(page);
      seen.push(...shown);
      const words = shown.flatMap((text) => wordsIn(text.replaceAll(/\S+\/pair/g, '')));
      return [...new Set(words)].filter((word) => english.has(word));
    },
  };
}

/** Returns all that a person reads or hears: texts, labels, and the placeholders of empty fields. */
const readShownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spoken = ['aria-label', 'title', 'placeholder', 'alt'];
    const labels = [...document.querySelectorAll('*')].flatMap((element) =>
      spoken.map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.title, document.body.innerText, ...labels];
  });
