/** The carrier of this phone, which loads when the engine has opened. */
import { createCarrier } from '../../client.ts';

export const attachedCarrier = createCarrier();
