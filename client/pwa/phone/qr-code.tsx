import { useEffect, useState } from 'preact/hooks';
import { words } from './words.ts';

/** Readers want so many modules of light around it. */
const border = 4;

/** Loaded when it is needed; nothing for a text that is too long for one. */
export function QrCode({ text }: { text: string }) {
  const [rows, setRows] = useState<string[]>();
  useEffect(() => {
    void import('../pairing/qr.ts').then(({ qrRows }) => setRows(qrRows(text)));
  }, [text]);
  if (!rows) return null;
  const side = rows.length + 2 * border;
  return (
    <svg class="qr" viewBox={`${-border} ${-border} ${side} ${side}`} role="img" aria-label={words.pairing.qr}>
      <path d={rows.map(lineOf).join('')} />
    </svg>
  );
}

const lineOf = (row: string, y: number): string =>
  [...row.matchAll(/1+/g)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join('');
