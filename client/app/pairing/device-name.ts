import type { Face } from '../shell/engine.tsx';
import { texts } from '../text/texts.ts';

export function suggestedDeviceName(face: Face, userAgent: string): string {
  const { names } = texts.pair;
  if (face === 'watch') return names.wearable;
  if (face === 'desk') return names.desktop;
  if (/iPhone/.test(userAgent)) return names.iphone;
  if (/iPad/.test(userAgent)) return names.ipad;
  if (/Android/.test(userAgent)) return names.android;
  return /Mobile/.test(userAgent) ? names.phone : names.desktop;
}
