import { stageKey } from './stages/stage-key.ts';

/** Normalizes a tag like the name of a stage. Two tags with equal results are the same tag. */
export const tagKey = stageKey;

/** Trims the tags, and leaves out each tag that is the same as one before it. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim());
  return [...byKey.values()];
}
