/** The texts that only the desk shows. */
import { deskTexts as de } from './de/desk.ts';
import { deskTexts as en } from './en/desk.ts';
import { language } from './language.ts';

export const deskTexts = { en, de }[language];
