/** The context that all sections of a panel share: texts, disclosures, and the formats of numbers, times and sizes. */
import { element } from './elements.ts';
import type { Disclosures } from './disclosures.ts';
import type { DevtoolsTexts } from './text/en.ts';

export interface PanelContext {
  texts: DevtoolsTexts;
  disclosures: Disclosures;
  number(value: number): string;
  /** Formats a time: without the date if the time is less than a day before or after now. */
  time(iso: string): HTMLElement;
  size(bytes: number): string;
}

const dayMs = 24 * 60 * 60_000;
const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

interface ContextOptions extends Pick<PanelContext, 'texts' | 'disclosures'> {
  language: string;
  wallMs: () => number;
}

export function createPanelContext({ texts, disclosures, language, wallMs }: ContextOptions): PanelContext {
  const integer = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const short = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const long = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' });
  return {
    texts,
    disclosures,
    number: (value) => integer.format(value),
    time: (iso) => {
      const at = Date.parse(iso);
      if (Number.isNaN(at)) return element('span', {}, iso);
      const format = Math.abs(wallMs() - at) < dayMs ? short : long;
      return element('time', { datetime: iso }, format.format(at));
    },
    size: (bytes) => {
      const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), sizeUnits.length - 1);
      return `${decimal.format(bytes / 1000 ** power)} ${sizeUnits[power]}`;
    },
  };
}
