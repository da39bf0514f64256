import { expect, test } from 'vitest';
import { guardFormulas, unguardFormulas } from '../../shared/export/formula-guard.ts';
import { pickOne, randomBelow, randomWithPrintedSeed } from '../random.ts';

test('[EXPORT-15] [EXPORT-38] [IMPORT-14] any text comes back from its guarded form', () => {
  const random = randomWithPrintedSeed();
  const characters = ["'", '=', '-', '＋', ';', '\t', '\r', '\n', ' ', '\u00a0', '"', 'a'];
  for (let texts = 0; texts < 20_000; texts++) {
    const text = Array.from({ length: randomBelow(random, 9) }, () => pickOne(random, characters)).join('');
    const safe = guardFormulas(text);
    expect(unguardFormulas(safe), JSON.stringify(text)).toBe(text);
    expect(/^[\s"]*[=\-＋]|[;\t\r\n][ \u00a0"]*[=\-＋]/.test(safe), JSON.stringify(text)).toBe(false);
  }
});
