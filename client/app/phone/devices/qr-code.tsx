import { useEffect, useState } from 'preact/hooks';
import { pairOtherDeviceTexts } from '../../text/phone-on-demand.ts';

/** The light margin around a QR code, in modules: the code's squares (ISO/IEC 18004, 6.3.8). */
const marginModules = 4;

/** Draws a QR code. The library that encodes it loads on first use. */
export function QrCode({ text, label = pairOtherDeviceTexts.qr }: { text: string; label?: string }) {
  const [rows, setRows] = useState<boolean[][]>();
  useEffect(() => {
    void import('uqr').then(({ encode }) => setRows(encode(text, { ecc: 'M', border: 0 }).data));
  }, [text]);
  if (!rows) return null;
  const side = rows.length + 2 * marginModules;
  return (
    <svg class="qr" viewBox={`${-marginModules} ${-marginModules} ${side} ${side}`} role="img" aria-label={label}>
      <path d={rows.map(svgPathOfRow).join('')} />
    </svg>
  );
}

const svgPathOfRow = (row: boolean[], y: number): string =>
  row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
