/** The SVG patterns that fill parts of a chart with the colour and the lines of a work type. */
import { workTypeLines, type WorkType } from '../../client.ts';

/** Defines the patterns to which `workTypePatternUrl` refers. One `<svg>` of the page must contain this component. */
export function WorkTypePatterns() {
  return (
    <defs>
      <pattern id="pattern-valuable" class="mark-valuable" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
      </pattern>
      <pattern id="pattern-incidental" class="mark-incidental" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
        <path class="pattern-lines" d={workTypeLines.incidental} />
      </pattern>
      <pattern id="pattern-waste" class="mark-waste" width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M0 0h8v8H0z" />
        <path class="pattern-lines" d={workTypeLines.waste} />
      </pattern>
    </defs>
  );
}

export const workTypePatternUrl = (type: WorkType): string => `url(#pattern-${type})`;
