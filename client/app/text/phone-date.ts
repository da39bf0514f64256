import { locale } from './language.ts';

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** Formats a day: 2026-11-03 → Nov 3, 2026. */
export const dateText = (day: string): string => dateFormat.format(new Date(`${day}T12:00`));
