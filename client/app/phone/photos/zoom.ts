/** How a photo lies in its frame: enlarged `scale` times around the middle, and moved by `x` and `y` pixels. Pure. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A place in the frame, in pixels from its middle. */
export interface Place {
  x: number;
  y: number;
}

export const wholePhoto: Zoom = { scale: 1, x: 0, y: 0 };
export const zoomStep = 1.5;
/** A photo of 2,048 pixels on a phone of 360 pixels shows each pixel twice. */
const scaleMax = 12;

/** Enlarges the photo by `factor`. What is at `place` stays there. */
export function zoomedAt({ scale, x, y }: Zoom, factor: number, place: Place, frame: Size): Zoom {
  const after = Math.min(scaleMax, Math.max(1, scale * factor));
  const kept = after / scale;
  return withinFrame({ scale: after, x: place.x - (place.x - x) * kept, y: place.y - (place.y - y) * kept }, frame);
}

export const movedBy = ({ scale, x, y }: Zoom, by: Place, frame: Size): Zoom =>
  withinFrame({ scale, x: x + by.x, y: y + by.y }, frame);

/** Moves the photo no further than to its edge, so that it cannot be lost. */
function withinFrame({ scale, x, y }: Zoom, { width, height }: Size): Zoom {
  const within = (value: number, side: number) => {
    const most = (side * (scale - 1)) / 2;
    return Math.min(most, Math.max(-most, value));
  };
  return scale === 1 ? wholePhoto : { scale, x: within(x, width), y: within(y, height) };
}
