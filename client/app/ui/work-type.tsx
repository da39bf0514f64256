/** Shows a work type by colour and shape (circle, square, triangle), in charts by colour and pattern. */
import { workTypeMarks, type WorkType } from '../../client.ts';
import { texts } from '../text/texts.ts';
import { keysOf } from './keys-of.ts';

export const workTypes = keysOf(workTypeMarks);

export function WorkTypeMark({ type }: { type: WorkType }) {
  return (
    <svg class={`mark mark-${type}`} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={workTypeMarks[type]} />
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
