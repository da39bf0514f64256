/** Pure functions that enlarge and move a photo in its frame. */

/** A photo in its frame: enlarged `scale` times around the middle, then moved by `x` and `y` pixels. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export interface FrameSize {
  width: number;
  height: number;
}

/** A point of the frame, in pixels from the middle of the frame. */
export interface FramePoint {
  x: number;
  y: number;
}

export const wholePhoto: Zoom = { scale: 1, x: 0, y: 0 };
/** The factor of one zoom by a button, a key or the wheel. */
export const zoomStepFactor = 1.5;
/** At this scale, a phone 360 pixels wide shows each pixel of a photo of 2,048 pixels as 2 by 2 pixels. */
const scaleMax = 12;

/** Enlarges the photo by `factor`. The part of the photo at `place` stays there. */
export function zoomedAt({ scale, x, y }: Zoom, factor: number, place: FramePoint, frame: FrameSize): Zoom {
  const after = Math.min(scaleMax, Math.max(1, scale * factor));
  const kept = after / scale;
  return withinFrame({ scale: after, x: place.x - (place.x - x) * kept, y: place.y - (place.y - y) * kept }, frame);
}

export const movedBy = ({ scale, x, y }: Zoom, by: FramePoint, frame: FrameSize): Zoom =>
  withinFrame({ scale, x: x + by.x, y: y + by.y }, frame);

/** Limits the movement, so that the photo always fills the frame. */
function withinFrame({ scale, x, y }: Zoom, { width, height }: FrameSize): Zoom {
  const within = (value: number, side: number) => {
    const most = (side * (scale - 1)) / 2;
    return Math.min(most, Math.max(-most, value));
  };
  return scale === 1 ? wholePhoto : { scale, x: within(x, width), y: within(y, height) };
}
