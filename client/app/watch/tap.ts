/** A tap that is felt: the hand learns that it was taken, and the eye may stay on the work. */
import { toast } from '../ui/toast.tsx';

const takenMs = 40;
const refusedMs = [80, 60, 80];

/** Says what was refused and why; resolves to whether it was taken. */
export async function tap(verb: () => Promise<unknown>): Promise<boolean> {
  try {
    await verb();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    vibrate(refusedMs);
    toast({ text: error.message });
    return false;
  }
  vibrate(takenMs);
  return true;
}

/** Safari has none. */
const vibrate = (pattern: number | number[]): unknown => 'vibrate' in navigator && navigator.vibrate(pattern);
