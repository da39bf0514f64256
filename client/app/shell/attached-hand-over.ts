/** The hand-over of this device. relay.ts loads it once the engine has opened. */
import { createHandOver } from '../../client.ts';

export const attachedHandOver = createHandOver();
