/**
 * Shows the figures (numbers) of a chart's part while the pointer is over the part. In a focused chart, the arrow keys
 * move from part to part. A chart marks each part by `data-figures`, a text with one line per figure.
 */
import { useEffect, useState } from 'preact/hooks';
import { spokenTimes } from '../text/spoken-times.ts';

interface FiguresTip {
  text: string;
  x: number;
  y: number;
  /** True if a key chose the part. Screen readers then read the figures. */
  byKey: boolean;
}

const directionByKey: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };
/** The distance of the figures from the pointer, so that the pointer does not cover the figures. */
const tipOffsetPx = 14;

export function HoverFigures() {
  const [tip, setTip] = useState<FiguresTip>();
  useEffect(() => {
    /** The index of the part that a key chose; -1 if a key chose none. */
    let index = -1;
    const onPointer = ({ target, clientX, clientY, pointerType }: PointerEvent) => {
      const part = target instanceof Element ? target.closest('[data-figures]') : null;
      const text = pointerType === 'touch' ? undefined : part?.getAttribute('data-figures');
      setTip((now) => (text ? { text, x: clientX, y: clientY, byKey: false } : now?.byKey ? now : undefined));
    };
    const hide = () => {
      index = -1;
      setTip(undefined);
    };
    // A scroll hides figures that the pointer has opened. Figures that a key has opened stay, since that key may have
    // scrolled the chart.
    const hideUnlessKeyed = () => setTip((now) => (now?.byKey ? now : undefined));
    const onKey = (event: KeyboardEvent) => {
      const chart = document.activeElement;
      const step = directionByKey[event.key];
      if (event.key === 'Escape') {
        if (index >= 0) event.stopPropagation();
        return hide();
      }
      if (step === undefined || !chart?.matches('[role=region]')) return;
      const parts = chart.querySelectorAll('[data-figures]');
      if (parts.length === 0) return;
      event.preventDefault();
      index = index < 0 ? (step > 0 ? 0 : parts.length - 1) : Math.min(parts.length - 1, Math.max(0, index + step));
      const part = parts[index];
      part?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { right, top } = part?.getBoundingClientRect() ?? { right: 0, top: 0 };
      setTip({ text: part?.getAttribute('data-figures') ?? '', x: right, y: top, byKey: true });
    };
    addEventListener('pointermove', onPointer);
    // Captures the keys, so that Escape hides the figures before it closes a pane.
    addEventListener('keydown', onKey, { capture: true });
    addEventListener('focusout', hide);
    addEventListener('scroll', hideUnlessKeyed, { capture: true, passive: true });
    return () => {
      removeEventListener('pointermove', onPointer);
      removeEventListener('keydown', onKey, { capture: true });
      removeEventListener('focusout', hide);
      removeEventListener('scroll', hideUnlessKeyed, { capture: true });
    };
  }, []);
  const isRight = tip !== undefined && tip.x > innerWidth / 2;
  return (
    <>
      {tip && (
        <div
          class="figures-tip"
          role="tooltip"
          style={{
            top: `${Math.min(tip.y + tipOffsetPx, innerHeight - 120)}px`,
            ...(isRight ? { right: `${innerWidth - tip.x + tipOffsetPx}px` } : { left: `${tip.x + tipOffsetPx}px` }),
          }}
        >
          {tip.text}
        </div>
      )}
      <p class="visually-hidden" role="status">
        {tip?.byKey && spokenTimes(tip.text)}
      </p>
    </>
  );
}
