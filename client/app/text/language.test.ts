import { expect, test } from 'vitest';
import { texts as german } from './de/texts.ts';
import { chooseLanguage } from './language.ts';

test('[APP-14] [APP-291] the first language of the device that the app speaks is chosen, an invalid one passed over', () => {
  expect(chooseLanguage(['en-US@posix', 'fr-FR', 'de-CH', 'C', 'en'])).toEqual({ language: 'de', locale: 'de-CH' });
  expect(chooseLanguage(['en-GB', 'de'])).toEqual({ language: 'en', locale: 'en-GB' });
  expect(chooseLanguage(['fr', 'ar'])).toEqual({ language: 'en', locale: 'en' });
  expect(chooseLanguage([])).toEqual({ language: 'en', locale: 'en' });
});

test('[APP-294] in German an error is said by its code, one of a newer server too', () => {
  const english = { message: 'The storage of this device is full' };
  expect(german.errorText({ code: 'storage_full', ...english })).toBe('Der Speicher ist voll. Bitte Platz schaffen.');
  expect(german.errorText({ code: 'quota_of_tomorrow', ...english })).toBe('Das wurde abgelehnt (quota_of_tomorrow).');
});
