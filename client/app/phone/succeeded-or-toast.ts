import { GembaError } from '../../client.ts';
import { texts } from '../text/texts.ts';
import { showToast } from '../ui/toast.tsx';

/** Resolves to true if the verb of the engine succeeded. If the engine refused it, shows the reason as a toast. */
export async function succeededOrToast(verb: Promise<unknown>): Promise<boolean> {
  try {
    await verb;
    return true;
  } catch (error) {
    if (!(error instanceof GembaError)) throw error;
    showToast({ text: texts.errorText(error) });
    return false;
  }
}
