/** Shows a work type by colour and shape (circle, square, triangle), in charts by colour and pattern. */
import type { WorkType } from '../../../shared/schema/fields.ts';
import { texts } from '../text/texts.ts';
import { keysOf } from './keys-of.ts';

const markPaths: Record<WorkType, string> = {
  valuable: 'M8 1.5a6.5 6.5 0 110 13 6.5 6.5 0 010-13z',
  incidental: 'M2.5 2.5h11v11h-11z',
  waste: 'M8 1.5l7 12.5H1z',
};

export const workTypes = keysOf(markPaths);

export function WorkTypeMark({ type }: { type: WorkType }) {
  return (
    <svg class={`mark mark-${type}`} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={markPaths[type]} />
    </svg>
  );
}

export const WorkTypeLabel = ({ type }: { type: WorkType }) => (
  <>
    <WorkTypeMark type={type} />
    {texts.workTypes[type]}
  </>
);

export function WorkTypeBadge({ type }: { type: WorkType }) {
  return (
    <span class="badge">
      <WorkTypeLabel type={type} />
    </span>
  );
}
