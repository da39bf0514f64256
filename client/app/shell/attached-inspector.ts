/** What shows the engine of a phone or a desk to a person. */
import { createInspector } from '../../entries/devtools.ts';
import { hasDevtools } from './devtools-setting.ts';

export const attachedInspector = createInspector({ trace: hasDevtools() });
