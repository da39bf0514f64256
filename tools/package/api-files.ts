/** The files of the public types of the package. */
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../api');

/** `api/gemba.d.ts` has the types of `gemba`, and `api/gemba-relay.d.ts` those of `gemba/relay`. */
export const typesFile = (entry: string): string => join(folder, `gemba${entry === 'index' ? '' : `-${entry}`}.d.ts`);
