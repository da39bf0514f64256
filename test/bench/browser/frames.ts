/** The frames of a page that scrolls. */
import type { Page } from 'playwright-core';
import { inPage } from '../../browser/in-page.ts';

export interface Frames {
  perSec: number;
  /** The share of late frames among all. */
  percentLate: number;
  longestMs: number;
}

/** A frame at 60 a second takes 16.7 ms; the rest allows for timers and the noise of a shared machine. */
const lateMs = 25;

export function framesOf(times: number[]): Frames {
  const lengths = times.slice(1).map((time, index) => time - times[index]!);
  const totalMs = lengths.reduce((sum, ms) => sum + ms, 0);
  return {
    perSec: (lengths.length / totalMs) * 1_000,
    percentLate: (lengths.filter((ms) => ms > lateMs).length / lengths.length) * 100,
    longestMs: Math.max(...lengths),
  };
}

/** Flings the page down five times, as a finger does. Returns the times at which frames began. */
export async function scrollThrough(page: Page): Promise<number[]> {
  await inPage(page, () => scrollTo(0, 0));
  await inPage(page, noteFrames);
  const session = await page.context().newCDPSession(page);
  for (let fling = 0; fling < 5; fling++) {
    await session.send('Input.synthesizeScrollGesture', { x: 195, y: 600, yDistance: -3_000, speed: 6_000 });
  }
  await session.detach();
  return inPage(page, () => (window as unknown as Noting).noted());
}

interface Noting {
  noted(): number[];
}

function noteFrames(): void {
  const times: number[] = [];
  let frame = requestAnimationFrame(function note(time) {
    times.push(time);
    frame = requestAnimationFrame(note);
  });
  Object.assign(window, {
    noted: () => {
      cancelAnimationFrame(frame);
      return times;
    },
  });
}
