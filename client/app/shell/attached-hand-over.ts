/** The part of this device that hands over, which loads when the engine has opened. */
import { createHandOver } from '../../client.ts';

export const attachedHandOver = createHandOver();
