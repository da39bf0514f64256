import { useEffect, useRef, useState } from 'preact/hooks';
import { movedBy, wholePhoto, zoomedAt, zoomStepFactor, type FramePoint, type Zoom } from './zoom.ts';

const pixelsPerKeyMove = 60;
const wheelPixelsPerStep = 300;
const doubleTapZoomFactor = 3;

/** Zooms a photo in its frame by two fingers, the wheel, a double tap or keys. Each photo is first shown as a whole. */
export function useZoom(photoId: string) {
  const frame = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, FramePoint>());
  const [zoom, setZoom] = useState<Zoom>(wholePhoto);
  useEffect(() => setZoom(wholePhoto), [photoId]);
  const sizeOf = () => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = frame.current ?? {};
    return { width, height };
  };
  const placeOf = ({ clientX, clientY }: MouseEvent): FramePoint => {
    const { left = 0, top = 0, width = 0, height = 0 } = frame.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const zoomBy = (factor: number, place: FramePoint = { x: 0, y: 0 }) =>
    setZoom((before) => zoomedAt(before, factor, place, sizeOf()));
  const moveBy = (by: FramePoint) => setZoom((before) => movedBy(before, by, sizeOf()));

  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const after = placeOf(event);
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    pointers.current.set(event.pointerId, after);
    if (!other) return moveBy({ x: after.x - before.x, y: after.y - before.y });
    const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 };
    zoomBy(distanceBetween(after, other) / Math.max(1, distanceBetween(before, other)), middle);
  };
  const forget = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId);

  return {
    zoom,
    zoomIn: () => zoomBy(zoomStepFactor),
    zoomOut: () => zoomBy(1 / zoomStepFactor),
    showWhole: () => setZoom(wholePhoto),
    /**
     * Moves an enlarged photo in its frame. Returns false if nothing moved, so that arrow keys can show other photos.
     */
    moveByKey: (key: string): boolean => {
      const direction = directionByArrowKey[key];
      if (!direction || zoom.scale === 1) return false;
      moveBy({ x: -direction.x * pixelsPerKeyMove, y: -direction.y * pixelsPerKeyMove });
      return true;
    },
    frameProps: {
      ref: frame,
      onPointerDown: (event: PointerEvent) => {
        frame.current?.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, placeOf(event));
      },
      onPointerMove,
      onPointerUp: forget,
      onPointerCancel: forget,
      onWheel: (event: WheelEvent) => {
        event.preventDefault();
        zoomBy(zoomStepFactor ** (-event.deltaY / wheelPixelsPerStep), placeOf(event));
      },
      onDblClick: (event: MouseEvent) =>
        zoom.scale > 1 ? setZoom(wholePhoto) : zoomBy(doubleTapZoomFactor, placeOf(event)),
    },
  };
}

const directionByArrowKey: Partial<Record<string, FramePoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const distanceBetween = (a: FramePoint, b: FramePoint): number => Math.hypot(a.x - b.x, a.y - b.y);
