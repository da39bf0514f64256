import type { Face } from '../shell/engine.tsx';
import { pairTexts } from '../text/pairing.ts';

export function suggestedDeviceName(face: Face, userAgent: string): string {
  const { names } = pairTexts;
  if (face === 'watch') return names.wearable;
  if (face === 'desk') return names.desktop;
  if (/iPhone/.test(userAgent)) return names.iphone;
  if (/iPad/.test(userAgent)) return names.ipad;
  if (/Android/.test(userAgent)) return names.android;
  return /Mobile/.test(userAgent) ? names.phone : names.desktop;
}
