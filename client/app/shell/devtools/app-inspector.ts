/** The inspector of a phone or a desk, through which the devtools panel reads the engine. */
import { createInspector } from '../../../entries/devtools.ts';
import { hasDevtools } from './devtools-setting.ts';

export const appInspector = createInspector({ trace: hasDevtools() });
