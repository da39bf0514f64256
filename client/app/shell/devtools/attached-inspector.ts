/** The inspector of a phone or a desk, for the panel that shows what the device is doing. */
import { createInspector } from '../../../entries/devtools.ts';
import { hasDevtools } from './devtools-setting.ts';

export const attachedInspector = createInspector({ trace: hasDevtools() });
