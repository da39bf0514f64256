/** Shows the QR codes of a hand-over one after another. The whole screen is one button, for a finger in a glove. */
import { encode } from 'uqr';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownCodes } from '../../../client.ts';
import { handOverTexts } from '../../text/relay/watch-relay.ts';

/** A camera that takes 30 pictures a second sees each code three times. */
const msPerCode = 120;

interface CodesScreenProps {
  shown: ShownCodes;
  onDone(): void;
}

export function CodesScreen({ shown, onDone }: CodesScreenProps) {
  const path = useCodeDrawing(shown);
  const { recordings, recordingsLeft, names } = shown;
  return (
    <main class="watch hand-over-codes" id="content">
      <button type="button" class="hand-over-code" data-count={shown.count} onClick={onDone}>
        <span class="hand-over-count">
          <span class="visually-hidden">{handOverTexts.codes} </span>
          {handOverTexts.count(recordings)} · {names[0]}
        </span>
        <svg viewBox={`0 0 ${path.side} ${path.side}`} aria-hidden="true" focusable="false">
          <path d={path.path} />
        </svg>
        <span class="hand-over-tap">
          {recordingsLeft > 0 ? handOverTexts.left(recordingsLeft) : handOverTexts.tapWhenDone}
        </span>
      </button>
    </main>
  );
}

interface CodeDrawing {
  path: string;
  side: number;
}

/** Returns the drawing of the current code. Draws each code only once. */
function useCodeDrawing(shown: ShownCodes): CodeDrawing {
  const drawn = useRef(new Map<string, CodeDrawing>());
  const [position, setPosition] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPosition((before) => before + 1), msPerCode);
    return () => clearInterval(timer);
  }, []);
  const text = shown.cycle(Math.floor(position / shown.count))[position % shown.count] ?? '';
  const known = drawn.current.get(text);
  if (known) return known;
  const rows = encode(text, { ecc: 'L', border: 0 }).data;
  const path = { path: rows.map(svgPathOfRow).join(''), side: rows.length };
  drawn.current.set(text, path);
  return path;
}

/** Draws squares that touch as one rectangle, since a gap of a fraction of a pixel would show between them. */
function svgPathOfRow(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += `M${x} ${y}h${end - x}v1h-${end - x}z`;
    x = end;
  }
  return path;
}
