/** Decides whether a device uses the compact forms of requests: effects of pushes, brief pushes and packed pages. */
import type { Fetch } from './transport.ts';

interface FormOptions {
  fetch?: Fetch;
  pushEffects?: boolean;
  packedPages?: boolean;
}

/** An app's own `fetch` may read the bodies, so it gets only the documented forms unless the options say otherwise. */
export const requestFormsOf = ({
  fetch,
  pushEffects = fetch === undefined,
  packedPages = fetch === undefined,
}: FormOptions): Required<Omit<FormOptions, 'fetch'>> => ({ pushEffects, packedPages });
