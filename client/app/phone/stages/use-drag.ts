/** A row that is dragged by its handle, with a finger, a pen or a mouse; the others make room for it. */
import { useState } from 'preact/hooks';

interface DragOptions {
  /** What it drags in: a change from elsewhere ends the drag, its own drop does too. */
  order: string;
  count: number;
  /** CSS pixels. */
  rowHeight: number;
  /** Positions from 0. */
  drop(from: number, to: number): Promise<void>;
}

interface Drag {
  order: string;
  from: number;
  to: number;
  /** On the page, so that it may scroll meanwhile. */
  startY: number;
  offset: number;
}

/** So near to an edge, in CSS pixels, the page scrolls. */
const edge = 96;
const scrollStep = 14;

export function useDrag({ order, count, rowHeight, drop }: DragOptions) {
  const [begun, setDrag] = useState<Drag | null>(null);
  const drag = begun?.order === order ? begun : null;

  const follow = ({ clientY }: PointerEvent) => {
    if (!drag) return;
    if (clientY < edge) scrollBy(0, -scrollStep);
    if (clientY > innerHeight - edge) scrollBy(0, scrollStep);
    const offset = clientY + scrollY - drag.startY;
    const to = Math.max(0, Math.min(count - 1, drag.from + Math.round(offset / rowHeight)));
    setDrag({ ...drag, offset, to });
  };
  const release = async () => {
    if (!drag) return;
    // It stays where it was dropped until the list says the same.
    setDrag({ ...drag, offset: (drag.to - drag.from) * rowHeight });
    await drop(drag.from, drag.to);
    setDrag(null);
  };

  return {
    isHeld: (index: number) => drag?.from === index,
    styleOf: (index: number) => ({ transform: drag ? `translateY(${shiftOf(drag, index, rowHeight)}px)` : '' }),
    handlersOf: (index: number) => ({
      onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ order, from: index, to: index, startY: event.clientY + scrollY, offset: 0 });
      },
      onPointerMove: follow,
      onPointerUp: () => void release(),
      onPointerCancel: () => setDrag(null),
    }),
  };
}

function shiftOf({ from, to, offset }: Drag, index: number, rowHeight: number): number {
  if (index === from) return offset;
  if (index > from && index <= to) return -rowHeight;
  return index < from && index >= to ? rowHeight : 0;
}
