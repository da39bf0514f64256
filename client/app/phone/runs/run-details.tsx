import { useState } from 'preact/hooks';
import { Commands } from '../../ui/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { nameLengthMax, notesLengthMax, type RunDoc, type RunPatch } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';
import { formTexts } from '../../text/phone-on-demand.ts';
import { exclusionTexts, runEditTexts, runsTexts } from '../../text/phone-runs.ts';
import { ExclusionDialog } from '../compare/exclusion.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { TextArea } from './text-area.tsx';

export function RunDetails({ run }: { run: RunDoc }) {
  const { tags = [], note, excluded, revision } = run;
  return (
    <>
      {excluded && <p class="card">{runsTexts.excluded(excluded.reason)}</p>}
      {tags.length > 0 && (
        <ul class="run-tags" role="list" aria-label={runEditTexts.tags}>
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {note && <p class="run-notes">{note}</p>}
      {revision !== undefined && <p class="soft small">{runEditTexts.correction(revision)}</p>}
    </>
  );
}

export function RunActions({ run }: { run: RunDoc }) {
  const gemba = useGemba();
  const [isEditing, setEditing] = useState(false);
  const [isExcluding, setExcluding] = useState(false);
  return (
    <>
      <Commands
        isStacked
        commands={[
          { label: runEditTexts.edit, run: () => setEditing(true) },
          run.excluded
            ? {
                label: exclusionTexts.include,
                run: () => void succeededOrToast(gemba.updateRun(run.id, { excluded: null })),
              }
            : { label: exclusionTexts.exclude, run: () => setExcluding(true) },
        ]}
      />
      <Dialog open={isEditing} title={runEditTexts.edit} onClose={() => setEditing(false)}>
        <RunDetailsForm run={run} onClose={() => setEditing(false)} />
      </Dialog>
      <ExclusionDialog run={isExcluding ? run : undefined} onClose={() => setExcluding(false)} />
    </>
  );
}

export const CorrectStepsCommand = ({ run }: { run: RunDoc }) => (
  <Commands commands={[{ label: runEditTexts.correct, href: `/maps/${run.map_id}/runs/${run.id}/steps` }]} />
);

function RunDetailsForm({ run, onClose }: { run: RunDoc; onClose(): void }) {
  const gemba = useGemba();
  const before = { name: run.name ?? '', tags: (run.tags ?? []).join(', '), note: run.note ?? '' };
  const [name, setName] = useState(before.name);
  const [tags, setTags] = useState(before.tags);
  const [note, setNote] = useState(before.note);
  const save = async (event: Event) => {
    event.preventDefault();
    const patch: RunPatch = {
      ...(name !== before.name && { name: name.trim() }),
      ...(tags !== before.tags && { tags: parseTags(tags) }),
      ...(note !== before.note && { note }),
    };
    if (Object.keys(patch).length === 0 || (await succeededOrToast(gemba.updateRun(run.id, patch)))) onClose();
  };
  return (
    <form class="stack" onSubmit={save} noValidate>
      <Field
        label={runEditTexts.name}
        hint={runEditTexts.nameHint}
        maxLength={nameLengthMax}
        autocomplete="off"
        value={name}
        onValue={setName}
      />
      <Field label={runEditTexts.tags} hint={runEditTexts.tagsHint} autocomplete="off" value={tags} onValue={setTags} />
      <TextArea label={runEditTexts.note} maxLength={notesLengthMax} value={note} onValue={setNote} />
      <Button type="submit" look="primary" wide>
        {formTexts.save}
      </Button>
    </form>
  );
}

const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
