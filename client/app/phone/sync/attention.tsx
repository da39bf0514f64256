/** Lists the mutations that the server refused, each with the reason and the remedies. */
import { useState } from 'preact/hooks';
import type { Attention, Remedy } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { durationText, dateTimeText } from '../../text/format.ts';
import { RefusedChangeForm, editableFieldNamesOf } from './refused-change-form.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { attentionTexts } from '../../text/phone-on-demand.ts';

export function AttentionScreen() {
  const gemba = useGemba();
  const refused = useValue(gemba.attention$);
  const discarded = useValue(gemba.discardedChanges$);
  return (
    <Screen title={attentionTexts.title} back="/sync">
      {refused?.length === 0 && <EmptyState title={attentionTexts.emptyTitle} text={attentionTexts.emptyText} />}
      {refused && <SendAllAgain refused={refused} />}
      {refused && refused.length > 0 && (
        <ul class="stack" role="list" aria-label={attentionTexts.title}>
          {refused.map((item) => (
            <RefusedChange key={item.seq} item={item} />
          ))}
        </ul>
      )}
      {discarded && discarded.length > 0 && (
        <>
          <h2>{attentionTexts.discardedTitle}</h2>
          <ul class="list" role="list" aria-label={attentionTexts.discardedTitle}>
            {discarded.map((item) => (
              <li key={item.seq} class="list-row discarded">
                <div class="list-text">
                  <p class="list-name">{titleOfChange(item)}</p>
                  <p class="soft small">{attentionTexts.made(dateTimeText(item.recorded_at))}</p>
                </div>
                <Button onClick={() => void succeededOrToast(gemba.restoreChange(item.seq))}>
                  {attentionTexts.restoreChange}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  );
}

/**
 * A button that sends again all refused changes with the remedy `send_again`, for example after the account got a
 * larger plan.
 */
function SendAllAgain({ refused }: { refused: readonly Attention[] }) {
  const gemba = useGemba();
  const [isSending, setSending] = useState(false);
  const sendable = refused.filter(({ remedies }) => remedies.includes('send_again'));
  if (sendable.length < 2) return null;
  const sendAll = async () => {
    setSending(true);
    try {
      for (const { seq } of sendable) {
        if (!(await succeededOrToast(gemba.resolve(seq, 'send_again')))) return;
      }
      showToast({ text: attentionTexts.sentLater });
    } finally {
      setSending(false);
    }
  };
  return (
    <Button wide disabled={isSending} onClick={sendAll}>
      {attentionTexts.sendAllAgain(sendable.length)}
    </Button>
  );
}

function RefusedChange({ item }: { item: Attention }) {
  const gemba = useGemba();
  const [editing, setEditing] = useState(false);
  const { seq, recorded_at, because_of, is_overtaken, args } = item;
  const mapId = String(args['map_id']);
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const run = useValueOf(() => gemba.run$(Number(args['run_id'])), [gemba, args['run_id']]);

  const resolve = async (remedy: Remedy, newArgs?: Attention['args']) => {
    if (!(await succeededOrToast(gemba.resolve(seq, remedy, newArgs)))) return;
    setEditing(false);
    showToast(
      remedy === 'discard'
        ? { text: attentionTexts.discarded, undo: () => void succeededOrToast(gemba.restoreChange(seq)) }
        : { text: attentionTexts.sentLater },
    );
  };
  const edit = () => {
    const wantedIds = args['stage_ids'];
    if (!Array.isArray(wantedIds)) return setEditing(true);
    // Takes the order that the person chose, leaves out deleted stages, and puts stages that were added later last.
    const ids = (map?.stages ?? []).map(({ id }) => id);
    const stage_ids = [...wantedIds.filter((id) => ids.includes(id)), ...ids.filter((id) => !wantedIds.includes(id))];
    return void resolve('edit', { ...args, stage_ids });
  };
  const isEditable = Array.isArray(args['stage_ids']) || editableFieldNamesOf(args).length > 0;
  const remedies = item.remedies.filter((remedy) => remedy !== 'edit' || isEditable);

  return (
    <li class="card stack">
      <div>
        <h2>{titleOfChange(item)}</h2>
        <p class="soft small">
          {[map?.name, stepsText(args), attentionTexts.made(dateTimeText(recorded_at))].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p>{attentionTexts.message(item)}</p>
      {because_of !== undefined && <p class="soft small">{attentionTexts.dependsOnAbove}</p>}
      <div class="remedies">
        {is_overtaken && run && (
          <Link href={`/maps/${run.map_id}/runs/${run.id}`} class="button button-plain">
            {attentionTexts.newerChange}
          </Link>
        )}
        {remedies.map((remedy, index) => (
          <Button
            key={remedy}
            look={remedy === 'discard' ? 'danger' : index === 0 ? 'primary' : 'plain'}
            onClick={() => (remedy === 'edit' ? edit() : void resolve(remedy))}
          >
            {attentionTexts.remedies[remedy]}
          </Button>
        ))}
      </div>
      <Dialog open={editing} title={attentionTexts.remedies.edit} onClose={() => setEditing(false)}>
        <RefusedChangeForm args={args} onSave={(changed) => void resolve('edit', { ...args, ...changed })} />
      </Dialog>
    </li>
  );
}

function titleOfChange({ name, args }: Attention): string {
  const subject = args['name'] ?? args['stage'];
  return typeof subject === 'string' ? `${attentionTexts.names[name]}: ${subject}` : attentionTexts.names[name];
}

function stepsText({ steps }: Attention['args']): string | undefined {
  if (!Array.isArray(steps)) return undefined;
  const secs = steps.reduce((sum: number, { duration_secs }: { duration_secs: number }) => sum + duration_secs, 0);
  return attentionTexts.steps(steps.length, durationText(secs));
}
