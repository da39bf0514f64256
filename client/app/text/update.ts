/** The texts of the offer of an update, which loads once the engine is open. */
import { updateTexts as de } from './de/update.ts';
import { updateTexts as en } from './en/update.ts';
import { language } from './language.ts';

export const updateTexts = { en, de }[language];
