import { useState } from 'preact/hooks';
import { descriptionLengthMax, industryLengthMax, nameLengthMax, type Attention } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { keysOf } from '../../ui/keys-of.ts';
import { attentionTexts } from '../../text/phone-on-demand.ts';

type EditableFieldName = keyof typeof attentionTexts.fields;

const fieldRules: Record<EditableFieldName, { lengthMax: number; required: boolean }> = {
  name: { lengthMax: nameLengthMax, required: true },
  stage: { lengthMax: nameLengthMax, required: true },
  industry: { lengthMax: industryLengthMax, required: false },
  description: { lengthMax: descriptionLengthMax, required: false },
};

export const editableFieldNamesOf = (args: Attention['args']): EditableFieldName[] =>
  keysOf(fieldRules).filter((name) => name in args);

interface RefusedChangeFormProps {
  args: Attention['args'];
  onSave(changed: Partial<Record<EditableFieldName, string>>): void;
}

export function RefusedChangeForm({ args, onSave }: RefusedChangeFormProps) {
  const [values, setValues] = useState<Partial<Record<EditableFieldName, string>>>({});
  const rows = editableFieldNamesOf(args).map((name) => {
    const value = values[name] ?? String(args[name]);
    return { name, value, error: fieldErrorText(name, value) };
  });
  const save = (event: Event) => {
    event.preventDefault();
    if (rows.every(({ error }) => !error)) onSave(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
  };
  return (
    <form class="stack" onSubmit={save}>
      {rows.map(({ name, value, error }) => (
        <Field
          key={name}
          label={attentionTexts.fields[name]}
          value={value}
          onValue={(text) => setValues({ ...values, [name]: text })}
          error={error}
        />
      ))}
      <Button type="submit" look="primary" wide>
        {attentionTexts.remedies.edit}
      </Button>
    </form>
  );
}

function fieldErrorText(name: EditableFieldName, value: string): string | undefined {
  const { lengthMax, required } = fieldRules[name];
  const over = [...value].length - lengthMax;
  if (over > 0) return attentionTexts.tooLong(over);
  return required && value.trim() === '' ? attentionTexts.blank : undefined;
}
