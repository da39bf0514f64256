/**
 * The texts that all faces show, in the language of the device. Each file of this folder has its English texts in `en`
 * and its German texts in `de`. The code of a page contains the texts for its start in every language, since a
 * separate file of texts would arrive after the engine's code (docs/decisions/0123-texts-in-the-code.md). Other texts
 * load later, in the chosen language alone.
 */
import { texts as de } from './de/texts.ts';
import { texts as en } from './en/texts.ts';
import { language } from './language.ts';

export const texts = { en, de }[language];
