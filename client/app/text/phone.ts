/** The phone's texts, except for the screens that load on demand (phone-on-demand.ts). */
import { phoneTexts as de } from './de/phone.ts';
import { phoneTexts as en } from './en/phone.ts';
import { language } from './language.ts';

export const phoneTexts = { en, de }[language];
