/** The inspector of a desk. Its code loads when the engine has opened. */
import type { GembaOptions } from '../../client.ts';

export const inspector: NonNullable<GembaOptions['inspector']> = {
  attach: (...engine) =>
    void import('../shell/devtools/attached-inspector.ts').then(({ attachedInspector }) =>
      attachedInspector.attach(...engine),
    ),
};
