/** Fills charts with the colour and the pattern of a work type. */
import type { WorkType } from '../../../shared/schema/fields.ts';

/** Defines the patterns of `patternUrlOf`. One `<svg>` of a page with patterns must contain this component. */
export function WorkTypePatterns() {
  return (
    <defs>
      <pattern id="pattern-valuable" class="mark-valuable" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
      </pattern>
      <pattern id="pattern-incidental" class="mark-incidental" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
        <path class="pattern-lines" d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6" />
      </pattern>
      <pattern id="pattern-waste" class="mark-waste" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
        <path class="pattern-lines" d="M0 0l8 8M8 0L0 8" />
      </pattern>
    </defs>
  );
}

export const patternUrlOf = (type: WorkType): string => `url(#pattern-${type})`;
