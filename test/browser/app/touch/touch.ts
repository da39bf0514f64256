/** Touches a page as a worker's finger does, and counts the taps. */
import type { Locator, Page } from 'playwright-core';
import { atWorkersPace } from '../locators.ts';

/** Texts of the steps that a worker records in the order of the work, some with a work type or a note. */
export interface WorkedStep {
  name: string;
  type?: 'Valuable' | 'Waste';
  note?: string;
}

export const workedSteps: WorkedStep[] = [
  { name: 'Take the blank' },
  { name: 'Clamp it', note: 'Crane late' },
  { name: 'Drill', type: 'Valuable' },
  { name: 'Search the gauge', type: 'Waste' },
  { name: 'Measure', note: 'Torque 40 Nm' },
  { name: 'Bolt the cover', type: 'Valuable' },
  { name: 'Wait for the lift', type: 'Waste' },
  { name: 'Lay it down' },
];

/** Returns what the server keeps for the steps of the first cycle. */
export const recordedSteps = workedSteps.map(({ name, type, note = '' }) => ({
  stage_name: name,
  work_type: type?.toLowerCase() ?? 'incidental',
  notes: note,
}));

export interface Finger {
  /** Taps no sooner than a worker would. */
  tap(target: Locator): Promise<void>;
  readonly tapCount: number;
}

export function fingerOn(page: Page): Finger {
  let tapCount = 0;
  return {
    tap: async (target) => {
      await atWorkersPace(page);
      await target.tap();
      tapCount += 1;
    },
    get tapCount() {
      return tapCount;
    },
  };
}
