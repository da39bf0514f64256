/**
 * The texts that all faces show, in the language of the device. Each file of this folder has its English texts in `en`
 * and its German texts in `de`. The code of a page has the texts of its start in every language, since a file of their
 * own would arrive after the engine's (docs/decisions/0123-texts-in-the-code.md). Later texts load in the chosen language.
 */
import { texts as de } from './de/texts.ts';
import { texts as en } from './en/texts.ts';
import { language } from './language.ts';

export const texts = { en, de }[language];
