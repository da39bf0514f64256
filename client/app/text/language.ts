/** Chooses the language of the app: the first of the device's languages that the app speaks, otherwise English. */
const languages = { en: { dir: 'ltr' }, de: { dir: 'ltr' } } as const;

export type Language = keyof typeof languages;

const deviceLocales = typeof navigator === 'undefined' ? [] : navigator.languages;

/** `locale` is the device's variety of the language, such as de-CH, for numbers and times. */
export const { language, locale } = chooseLanguage(deviceLocales);

export function chooseLanguage(names: readonly string[]): { language: Language; locale: string } {
  for (const name of names) {
    const spoken = languageOf(name);
    if (spoken) return { language: spoken, locale: name };
  }
  return { language: 'en', locale: 'en' };
}

/** Returns undefined for a locale name that Intl rejects, such as en-US@posix, which some systems report. */
function languageOf(name: string): Language | undefined {
  try {
    const subtag = new Intl.Locale(name).language;
    return isLanguage(subtag) ? subtag : undefined;
  } catch {
    return undefined;
  }
}

// A function declaration can be called further up in the file, where the language is chosen.
function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

/** Tells the browser the language of the page: hyphens, quotation marks and the voice of a screen reader follow it. */
export function setDocumentLanguage(): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = languages[language].dir;
}
