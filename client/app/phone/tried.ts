import { GembaError } from '../../client.ts';
import { toast } from '../ui/toast.tsx';

/** Whether a verb was taken; what was refused is said in its words. */
export async function tried(verb: Promise<unknown>): Promise<boolean> {
  try {
    await verb;
    return true;
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    toast({ text: error.message });
    return false;
  }
}
