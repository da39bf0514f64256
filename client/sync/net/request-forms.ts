/** Decides in which forms a device pushes and pulls. */
import type { Fetch } from './transport.ts';

interface FormOptions {
  fetch?: Fetch;
  pushEffects?: boolean;
  packedPages?: boolean;
}

/**
 * A `fetch` of the app's own may read the bodies, so it gets the documented forms alone unless the options say
 * otherwise.
 */
export const requestForms = ({
  fetch,
  pushEffects = fetch === undefined,
  packedPages = fetch === undefined,
}: FormOptions): Required<Omit<FormOptions, 'fetch'>> => ({ pushEffects, packedPages });
