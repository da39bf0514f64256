import fc from 'fast-check';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrRows } from './qr.ts';

/** As the library has it, with each mask that it may take. */
const asLibrary = (text: string): string[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((maskPattern) => {
    const { data } = encode([...new TextEncoder().encode(text)], { ecc: 'M', maskPattern, border: 0 });
    return data.map((row) => row.map(Number).join('')).join('\n');
  });

test('[APP-64] the QR code of a text is the one that a library makes of it, under one of the eight masks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      expect(asLibrary(text)).toContain(qrRows(text)?.join('\n'));
    }),
  );
  for (let length = 1; length <= 106; length++) {
    const text = 'https://gemba.example/'.repeat(5).slice(0, length);
    expect(asLibrary(text)).toContain(qrRows(text)!.join('\n'));
  }
  expect(qrRows('x'.repeat(107))).toBeUndefined();
});
