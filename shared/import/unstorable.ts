/** Finds NUL and lone surrogates, which the API forbids in texts, since PostgreSQL cannot store them. */
import type { ImportErrorInfo } from './error-list.ts';

export function unstorableErrorIn(text: string): ImportErrorInfo | undefined {
  const codePoint = unstorablePattern.exec(text)?.[0].codePointAt(0);
  if (codePoint === undefined) return undefined;
  const character = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return { code: 'character_unstorable', params: { character } };
}

/** Replaces NUL and lone surrogates, so that a report that names a column can be stored. */
export const withoutUnstorable = (text: string): string => text.replaceAll(allUnstorablePattern, '\uFFFD');

const unstorablePattern = /[\0\p{Surrogate}]/u;
const allUnstorablePattern = new RegExp(unstorablePattern, 'gu');
