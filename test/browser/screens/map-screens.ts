/** Pictures of maps and stages, starting at the list of maps. */
import { phoneSize } from '../app/devices.ts';
import type { Screen } from './screen.ts';
import { button, heading, mapAction } from '../app/locators.ts';

/** A process that consists mostly of waiting. */
export const orderToDelivery = [
  { stage: 'Take the order', cycle_time_hrs: 0.25, work_type: 'incidental' },
  { stage: 'Plan', cycle_time_hrs: 0.5, wait_time_hrs: 3, work_type: 'incidental' },
  { stage: 'Saw and drill', cycle_time_hrs: 1.5, wait_time_hrs: 6, work_type: 'valuable' },
  { stage: 'Look for the pallet', cycle_time_hrs: 0.75, work_type: 'waste' },
  { stage: 'Paint', cycle_time_hrs: 2, wait_time_hrs: 1.5, work_type: 'valuable' },
  { stage: 'Check', cycle_time_hrs: 0.5, wait_time_hrs: 4, work_type: 'incidental' },
  { stage: 'Pack and ship', cycle_time_hrs: 1, wait_time_hrs: 2, work_type: 'incidental' },
] as const;

export const mapScreens: Screen[] = [
  {
    name: 'phone/maps/value-stream',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByText('Order to delivery').click();
      await heading(page, 'Order to delivery').waitFor();
    },
  },
  {
    name: 'phone/maps/stages',
    size: phoneSize,
    go: ({ page }) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)'),
  },
  {
    name: 'phone/maps/stage',
    size: phoneSize,
    go: async ({ page }) => {
      await page.getByRole('button', { name: '3. Saw and drill' }).click();
      await heading(page, 'Edit stage').waitFor();
    },
  },
  {
    name: 'phone/runs/no-runs',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Close').click();
      await page.getByRole('link', { name: '0 runs' }).click();
      await heading(page, 'No runs yet').waitFor();
    },
  },
  {
    name: 'phone/maps/map-empty',
    size: phoneSize,
    go: async ({ page }) => {
      for (const _ of ['runs', 'map']) await page.getByRole('link', { name: 'Back' }).click();
      await page.getByText('Goods receipt').click();
      await heading(page, 'No stages yet').waitFor();
    },
  },
  {
    name: 'phone/maps/bin',
    size: phoneSize,
    go: async ({ page }) => {
      await mapAction(page, 'Delete');
      await page.getByRole('link', { name: 'Recycle bin' }).click();
      await button(page, 'Restore Goods receipt').waitFor();
    },
  },
  {
    name: 'phone/maps/bin-empty',
    size: phoneSize,
    go: async ({ page }) => {
      await button(page, 'Restore Goods receipt').click();
      await heading(page, 'The recycle bin is empty').waitFor();
    },
  },
];
