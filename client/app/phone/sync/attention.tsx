/** What the server refused: why, and what can be done about it. */
import { useState } from 'preact/hooks';
import {
  descriptionLengthMax,
  industryLengthMax,
  nameLengthMax,
  type Attention,
  type Remedy,
} from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { duration, moment, texts } from '../../text/texts.ts';
import { tried } from '../tried.ts';
import { words } from '../../text/phone.ts';

const { attention: said } = words;

export function AttentionScreen() {
  const gemba = useGemba();
  const refused = useValue(gemba.attention$);
  const discarded = useValue(gemba.discardedChanges$);
  return (
    <Screen title={said.title} back="/sync">
      {refused?.length === 0 && <EmptyState title={said.emptyTitle} text={said.emptyText} />}
      {refused && refused.length > 0 && (
        <ul class="stack" role="list" aria-label={said.title}>
          {refused.map((item) => (
            <Refused key={item.seq} item={item} />
          ))}
        </ul>
      )}
      {discarded && discarded.length > 0 && (
        <>
          <h2>{said.discardedTitle}</h2>
          <ul class="list" role="list" aria-label={said.discardedTitle}>
            {discarded.map((item) => (
              <li key={item.seq} class="list-row given-up">
                <div class="list-text">
                  <p class="list-name">{titleOf(item)}</p>
                  <p class="soft small">{said.made(moment(item.recorded_at))}</p>
                </div>
                <Button onClick={() => void tried(gemba.restoreChange(item.seq))}>{said.restoreChange}</Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  );
}

function Refused({ item }: { item: Attention }) {
  const gemba = useGemba();
  const [editing, setEditing] = useState(false);
  const { seq, recorded_at, because_of, message, args } = item;
  const mapId = String(args['map_id']);
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);

  const resolve = async (remedy: Remedy, changed?: Attention['args']) => {
    if (!(await tried(gemba.resolve(seq, remedy, changed)))) return;
    setEditing(false);
    toast(
      remedy === 'discard'
        ? { text: said.discarded, undo: () => void tried(gemba.restoreChange(seq)) }
        : { text: said.solved },
    );
  };
  const edit = () => {
    const wanted = args['stage_ids'];
    if (!Array.isArray(wanted)) return setEditing(true);
    // The stages that are there now, in the order that was wanted; those that came meanwhile stay behind them.
    const ids = (map?.stages ?? []).map(({ id }) => id);
    const stage_ids = [...wanted.filter((id) => ids.includes(id)), ...ids.filter((id) => !wanted.includes(id))];
    return void resolve('edit', { ...args, stage_ids });
  };
  const editable = Array.isArray(args['stage_ids']) || fieldsOf(args).length > 0;
  const remedies = item.remedies.filter((remedy) => remedy !== 'edit' || editable);

  return (
    <li class="card stack">
      <div>
        <h2>{titleOf(item)}</h2>
        <p class="soft small">
          {[map?.name, stepsOf(args), said.made(moment(recorded_at))].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p>{message}</p>
      {because_of !== undefined && <p class="soft small">{said.because}</p>}
      <div class="remedies">
        {remedies.map((remedy, index) => (
          <Button
            key={remedy}
            look={remedy === 'discard' ? 'danger' : index === 0 ? 'primary' : 'plain'}
            onClick={() => (remedy === 'edit' ? edit() : void resolve(remedy))}
          >
            {said.remedies[remedy]}
          </Button>
        ))}
      </div>
      <Dialog open={editing} title={said.remedies.edit} onClose={() => setEditing(false)}>
        <EditForm args={args} onSave={(changed) => void resolve('edit', { ...args, ...changed })} />
      </Dialog>
    </li>
  );
}

function EditForm({ args, onSave }: { args: Attention['args']; onSave(changed: Record<string, string>): void }) {
  const [changed, setChanged] = useState(() =>
    Object.fromEntries(fieldsOf(args).map((name) => [name, String(args[name])])),
  );
  const save = (event: Event) => {
    event.preventDefault();
    if (!Object.entries(changed).some(([name, value]) => wrongWith(name, value))) onSave(changed);
  };
  return (
    <form class="stack" onSubmit={save}>
      {Object.entries(changed).map(([name, value]) => (
        <Field
          key={name}
          label={said.fields[name]!}
          value={value}
          onValue={(text) => setChanged({ ...changed, [name]: text })}
          error={wrongWith(name, value)}
        />
      ))}
      <Button type="submit" look="primary" wide>
        {said.remedies.edit}
      </Button>
    </form>
  );
}

const textLengthMax: Record<string, number> = { industry: industryLengthMax, description: descriptionLengthMax };

/** A name and a stage may not be empty, as the server has it. */
function wrongWith(field: string, value: string): string | undefined {
  const max = textLengthMax[field];
  const over = [...value].length - (max ?? nameLengthMax);
  if (over > 0) return said.tooLong(over);
  return !max && value.trim() === '' ? said.blank : undefined;
}

/** Those that a person can type anew. */
const fieldsOf = (args: Attention['args']): string[] => Object.keys(said.fields).filter((name) => name in args);

function titleOf({ name, args }: Attention): string {
  const of = args['name'] ?? args['stage'];
  return typeof of === 'string' ? `${said.names[name]}: ${of}` : (said.names[name] ?? texts.app);
}

function stepsOf({ steps }: Attention['args']): string | undefined {
  if (!Array.isArray(steps)) return undefined;
  const secs = (steps as { duration_secs: number }[]).reduce((sum, { duration_secs }) => sum + duration_secs, 0);
  return said.steps(steps.length, duration(secs));
}
