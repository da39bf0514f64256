import { expect, test } from 'vitest';
import { movedBy, wholePhoto, zoomedAt } from './zoom.ts';

const frame = { width: 300, height: 600 };

test('[APP-581] what is under the finger stays there while a photo is enlarged', () => {
  const place = { x: 100, y: -50 };
  const zoomed = zoomedAt(wholePhoto, 2, place, frame);
  expect(zoomed).toEqual({ scale: 2, x: -100, y: 50 });
  expect(zoomedAt(zoomed, 2, place, frame)).toEqual({ scale: 4, x: -300, y: 150 });
});

test('[APP-581] a photo is never smaller than its frame, nor moved out of it', () => {
  expect(zoomedAt(wholePhoto, 0.5, { x: 10, y: 10 }, frame)).toEqual(wholePhoto);
  expect(zoomedAt(wholePhoto, 100, { x: 0, y: 0 }, frame).scale).toBe(12);
  expect(movedBy(wholePhoto, { x: 50, y: 50 }, frame)).toEqual(wholePhoto);
  const zoomed = zoomedAt(wholePhoto, 2, { x: 0, y: 0 }, frame);
  expect(movedBy(zoomed, { x: 1_000, y: -1_000 }, frame)).toEqual({ scale: 2, x: 150, y: -300 });
});
