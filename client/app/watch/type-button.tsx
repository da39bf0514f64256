import type { WorkType } from '../../client.ts';
import { useState } from 'preact/hooks';
import { WorkTypeMark } from '../ui/work-type.tsx';
import { texts } from '../text/texts.ts';
import { watchTexts } from '../text/watch.ts';

/** The work type that a tap chooses next. The steps of a new map begin as `incidental`. */
const nextType: Record<WorkType, WorkType> = { incidental: 'valuable', valuable: 'waste', waste: 'incidental' };

interface TypeButtonProps {
  type: WorkType;
  onType(type: WorkType): void;
}

/** Shows the work type of the next step, and chooses another one at each tap. */
export function TypeButton({ type, onType }: TypeButtonProps) {
  const [spoken, setSpoken] = useState('');
  const choose = () => {
    onType(nextType[type]);
    setSpoken(texts.workTypes[nextType[type]]);
  };
  return (
    <>
      <button
        type="button"
        class={`button watch-round watch-type watch-type-${type}`}
        aria-label={watchTexts.type(texts.workTypes[type])}
        onClick={choose}
      >
        <WorkTypeMark type={type} />
      </button>
      <span class="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </>
  );
}
