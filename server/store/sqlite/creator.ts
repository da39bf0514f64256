/** Converts creators to JSON text and back. Queries compare these texts, so equal creators must have equal texts. */
import type { Creator } from '../../../shared/schema/auth.ts';

export function stringifyCreator(creator: Creator | null): string | null {
  return creator && JSON.stringify({ kind: creator.kind, id: creator.id });
}

export function parseCreator(text: string | null): Creator | null {
  return text === null ? null : JSON.parse(text);
}
