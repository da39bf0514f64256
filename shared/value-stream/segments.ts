/** Places the times of stages or steps from left to right on one axis, each wait before its work. */
import type { Stage } from '../schema/stage.ts';

export type WorkAndWaitTimes = Pick<Stage, 'cycle_time_hrs' | 'wait_time_hrs'>;

/** A stretch of the axis. Both numbers are fractions of the length of the axis. */
export interface Segment {
  start: number;
  length: number;
}

export interface PlacedTimes<Part> {
  part: Part;
  /** `wait` is undefined if the part has no wait time, and `work` if the part has no cycle time. */
  wait: Segment | undefined;
  work: Segment | undefined;
}

/** `scaleHrs` is the length of the axis in hours. */
export function placeSegments<Part extends WorkAndWaitTimes>(
  parts: readonly Part[],
  scaleHrs: number,
): PlacedTimes<Part>[] {
  let passedHrs = 0;
  const place = (hrs: number): Segment | undefined => {
    const start = passedHrs / scaleHrs;
    passedHrs += hrs;
    return hrs > 0 ? { start, length: hrs / scaleHrs } : undefined;
  };
  return parts.map((part) => ({ part, wait: place(part.wait_time_hrs), work: place(part.cycle_time_hrs) }));
}

/** A drawing with more parts has no outlines, since the outlines would cover the narrow parts. */
export const outlinedPartsMax = 100;
