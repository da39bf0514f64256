/** A dialog that excludes a run from comparisons, and the list of excluded runs. */
import type { RunDoc } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { NamedText } from '../../ui/named-text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { exclusionTexts, runsTexts } from '../../text/phone-runs.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { useNameField } from '../use-name-field.ts';
import type { Outlier } from './stage-figures-list.tsx';

interface ExclusionDialogProps {
  /** The run to exclude; undefined while the dialog is closed. */
  run: Pick<RunDoc, 'id' | 'number'> | undefined;
  /** The unusual time that made a person open this dialog; undefined if the dialog opens on the run's own screen. */
  outlier?: Outlier | undefined;
  onClose(): void;
}

export function ExclusionDialog({ run, outlier, onClose }: ExclusionDialogProps) {
  return (
    <Dialog open={run !== undefined} title={run ? exclusionTexts.ask(run.number) : ''} onClose={onClose}>
      {outlier && (
        <p>
          <NamedText name={outlier.where}>{exclusionTexts.took(outlier.where, durationText(outlier.secs))}</NamedText>
        </p>
      )}
      <p>{exclusionTexts.text}</p>
      {run && <ExclusionForm run={run} onClose={onClose} />}
    </Dialog>
  );
}

function ExclusionForm({ run, onClose }: { run: Pick<RunDoc, 'id' | 'number'>; onClose(): void }) {
  const gemba = useGemba();
  const { name: reason, check, field } = useNameField({ initial: '', missingText: exclusionTexts.noReason });
  const exclude = async (event: Event) => {
    check(event);
    if (reason === '' || !(await succeededOrToast(gemba.updateRun(run.id, { excluded: { reason } })))) return;
    onClose();
    showToast({
      text: exclusionTexts.excluded(run.number),
      undo: () => void succeededOrToast(gemba.updateRun(run.id, { excluded: null })),
    });
  };
  return (
    <form class="stack" onSubmit={exclude} noValidate>
      <Field label={exclusionTexts.reason} hint={exclusionTexts.reasonHint} autocomplete="off" {...field} />
      <Button type="submit" look="primary" wide>
        {exclusionTexts.exclude}
      </Button>
    </form>
  );
}

interface ExcludedRunsProps {
  runs: RunDoc[];
  isCounted(run: RunDoc): boolean;
  setCounted(run: RunDoc, isCounted: boolean): void;
}

/** Lists the excluded runs. The checkbox of a run counts it in this comparison, and changes nothing elsewhere. */
export function ExcludedRuns({ runs, isCounted, setCounted }: ExcludedRunsProps) {
  if (runs.length === 0) return null;
  return (
    <>
      <div class="run-head">
        <h2>{exclusionTexts.title}</h2>
        <p class="soft small">{exclusionTexts.hint}</p>
      </div>
      <ul class="list" role="list" aria-label={exclusionTexts.title}>
        {runs.map((run) => (
          <li key={run.id}>
            <label class="list-row run-choice excluded-run">
              <input
                type="checkbox"
                checked={isCounted(run)}
                onChange={({ currentTarget }) => setCounted(run, currentTarget.checked)}
              />
              <div class="list-text">
                <p class="run-line">
                  <span class="list-name">{runsTexts.run(run.number)}</span>{' '}
                  <span>
                    <TimeText>{durationText(run.total_time_secs)}</TimeText>
                  </span>
                </p>
                <p class="soft small">{run.excluded?.reason}</p>
              </div>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}
