/**
 * Offers names for the next step. A person taps a name, or types a new one. If there are many names, the typed text
 * also searches them.
 */
import { useState } from 'preact/hooks';
import { nameLengthMax, type WorkType } from '../../../client.ts';
import type { StepToStart } from '../../recorder/next-step.ts';
import { foldedListTexts, recordTexts } from '../../text/phone-on-demand.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';

/** The list shows at most this many names, since more would push the rest of the dialog out of view. */
const shownNamesMax = 30;

interface StepNameChoicesProps {
  names: readonly StepToStart[];
  onName(name: string, type?: WorkType): void;
}

export function StepNameChoices({ names, onName }: StepNameChoicesProps) {
  const [text, setText] = useState('');
  const isLong = names.length > shownNamesMax;
  const sought = isLong ? text.trim().toLocaleLowerCase() : '';
  const found = names.filter(({ stage_name }) => stage_name.toLocaleLowerCase().includes(sought));
  const submit = (event: Event) => {
    event.preventDefault();
    const name = text.trim();
    if (name) onName(name, names.find(({ stage_name }) => stage_name === name)?.work_type);
  };
  const form = (
    <form class="recorder-form" onSubmit={submit} noValidate>
      <Field
        label={isLong ? recordTexts.findName : recordTexts.newName}
        autocomplete="off"
        value={text}
        onValue={setText}
        maxLength={nameLengthMax}
      />
      <Button type="submit">{recordTexts.start}</Button>
    </form>
  );
  return (
    <>
      {isLong && form}
      <ul class="recorder-names command-list" role="list">
        {found.slice(0, shownNamesMax).map(({ stage_name, work_type }) => (
          <li key={stage_name}>
            <Button wide onClick={() => onName(stage_name, work_type)}>
              <WorkTypeMark type={work_type} /> {stage_name}
            </Button>
          </li>
        ))}
      </ul>
      {found.length > shownNamesMax && (
        <p class="soft" role="status">
          {foldedListTexts.more(found.length - shownNamesMax)}
        </p>
      )}
      {!isLong && form}
    </>
  );
}
