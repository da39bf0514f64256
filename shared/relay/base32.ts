/**
 * Formats and reads codes that people type: Crockford's base32 (https://www.crockford.com/base32.html), shown as
 * XXXX-XXXX.
 */

export const base32Alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const lookalikes: Record<string, string> = { O: '0', I: '1', L: '1' };
export const typedCodeLength = 8;

export function formatTypedCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/**
 * Normalizes a typed code: removes blanks and hyphens, and replaces lookalikes. Characters that no code contains stay.
 */
export function normalizeTypedCode(text: string): string {
  const characters = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return Array.from(characters, (character) => lookalikes[character] ?? character).join('');
}
