/** Runs the verb of a tap and vibrates, so that a person feels success or failure without looking. */
import { texts } from '../text/texts.ts';
import { showToast } from '../ui/toast.tsx';

const successVibrationMs = 40;
const failureVibrationMs = [80, 60, 80];
export const ignoredTapVibrationMs = [20, 40, 20];

/** Returns whether the verb succeeded. Shows the error as a toast. */
export async function runWithVibration(verb: () => Promise<unknown>): Promise<boolean> {
  try {
    await verb();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    vibrate(failureVibrationMs);
    showToast({ text: texts.errorText(error) });
    return false;
  }
  vibrate(successVibrationMs);
  return true;
}

/** Does nothing in a browser that cannot vibrate, such as Safari. */
export const vibrate = (pattern: number | number[]): unknown => 'vibrate' in navigator && navigator.vibrate(pattern);
