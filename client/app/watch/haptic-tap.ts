/** Vibrates at each tap, so that the worker need not look whether it was taken. */
import { toast } from '../ui/toast.tsx';

const takenPatternMs = 40;
const refusedPatternMs = [80, 60, 80];

/** Shows a refusal as a toast, and returns whether the verb succeeded. */
export async function hapticTap(verb: () => Promise<unknown>): Promise<boolean> {
  try {
    await verb();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    vibrate(refusedPatternMs);
    toast({ text: error.message });
    return false;
  }
  vibrate(takenPatternMs);
  return true;
}

/** Vibrates if the browser can; Safari cannot. */
const vibrate = (pattern: number | number[]): unknown => 'vibrate' in navigator && navigator.vibrate(pattern);
