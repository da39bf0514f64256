/**
 * Parses the header `Gemba-Base` of a push, and computes the digest by which the device checks its own result. If
 * the header is absent or invalid, the device pulls the changes of its push instead.
 */
import { chainDigitCount } from '../../shared/protocol/chain.ts';
import type { EffectChange, PushBase } from '../../shared/protocol/effects.ts';
import { effectsText } from '../../shared/protocol/effects-text.ts';
import { pullableKinds } from '../../shared/protocol/pullable-kinds.ts';
import { sha256 } from '../core/hash.ts';

export type { PushBase };

/** Matches the texts that `formatPushBase` makes. A cursor has 64 characters at most. */
const headerPattern = /^cursor="([\w-]{1,64})", kinds="([a-z,]{1,32})"$/;

export function parsePushBase(header: string | undefined): PushBase | undefined {
  const [, cursor, kinds] = headerPattern.exec(header ?? '') ?? [];
  if (cursor === undefined || kinds === undefined) return undefined;
  const asked = kinds.split(',');
  return { cursor, kinds: pullableKinds.filter((kind) => asked.includes(kind)) };
}

export const digestOfEffects = (changes: readonly EffectChange[]): string =>
  sha256(effectsText(changes)).slice(0, chainDigitCount);
