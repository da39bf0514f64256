/** Imports recordings from a file: a person chooses the file, sees what the import would create, and starts it. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { GembaError, type ImportProgress, type ImportReport } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { FaceContext, useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { importTexts } from '../../text/interchange/phone-interchange.ts';
import { texts } from '../../text/texts.ts';
import { anyFailureText } from './any-failure-text.ts';
import { ImportPlan } from './import-plan.tsx';
import { ImportProgressBar, importProgressText, importPercentOf, type ImportPercent } from './import-progress.tsx';

type ImportState =
  | { is: 'choosing'; failure?: string; wasCancelled?: true }
  | { is: 'checking'; file: File }
  | { is: 'checked' | 'importing'; file: File; report: ImportReport }
  | { is: 'done'; report: ImportReport };

export function ImportScreen() {
  const gemba = useGemba();
  const [state, setState] = useState<ImportState>({ is: 'choosing' });
  const [share, setShare] = useState<ImportPercent>();
  const status = useRef<HTMLParagraphElement>(null);
  const check = useRef<AbortController | undefined>(undefined);
  // Leaving the screen cancels a check, but not an import.
  useEffect(() => () => check.current?.abort(), []);
  const isBusy = state.is === 'checking' || state.is === 'importing';
  const onProgress = (progress: ImportProgress) => {
    const next = importPercentOf(progress);
    setShare((last) => (last?.phase === next.phase && last.percent === next.percent ? last : next));
  };
  const attempt = async (file: File, dryRun: boolean) => {
    setShare(undefined);
    const abort = new AbortController();
    check.current = dryRun ? abort : undefined;
    try {
      const report = await gemba.importSteps(file, { dryRun, createMaps: true, onProgress, signal: abort.signal });
      // An import can also find errors, if something changed after the check. The import then stores nothing.
      setState(dryRun || report.errors_total > 0 ? { is: 'checked', file, report } : { is: 'done', report });
    } catch (error) {
      if (abort.signal.aborted) return;
      setState({ is: 'choosing', failure: importFailureText(error) });
    }
  };
  const begin = (file: File) => {
    setState({ is: 'checking', file });
    void attempt(file, true);
  };
  const cancel = () => {
    check.current?.abort();
    setState({ is: 'choosing', wasCancelled: true });
    // The tapped button disappears, so the status takes the focus.
    status.current?.focus();
  };
  const start = (file: File, report: ImportReport) => {
    setState({ is: 'importing', file, report });
    void attempt(file, false);
  };
  if (state.is === 'done') return <ImportDone report={state.report} onOther={() => setState({ is: 'choosing' })} />;
  const beginText = state.is === 'importing' ? importTexts.importing(state.report.new) : importTexts.checking;
  const busyText = share ? importProgressText(share) : beginText;
  const statusText = isBusy ? busyText : state.is === 'choosing' && state.wasCancelled && importTexts.cancelled;
  return (
    <Screen title={importTexts.title} back="/account">
      {state.is === 'choosing' && <p>{importTexts.intro}</p>}
      <FileChoice isFirst={state.is === 'choosing'} isBusy={isBusy} onFile={begin} />
      {state.is === 'choosing' && state.failure && (
        <p class="card field-error" role="alert">
          {state.failure}
        </p>
      )}
      <p role="status" ref={status} tabIndex={-1} class={statusText ? undefined : 'visually-hidden'}>
        {statusText}
      </p>
      {isBusy && <ImportProgressBar label={beginText} share={share} />}
      {state.is === 'checking' && <Button onClick={cancel}>{importTexts.cancel}</Button>}
      {(state.is === 'checked' || state.is === 'importing') && (
        <ImportPlan
          name={state.file.name}
          report={state.report}
          isBusy={isBusy}
          onImport={() => start(state.file, state.report)}
        />
      )}
    </Screen>
  );
}

function importFailureText(error: unknown): string {
  // A browser cannot read a file that was moved or changed after the person chose it.
  if (error instanceof DOMException) return importTexts.unreadable;
  if (error instanceof GembaError && error.code === 'payload_too_large') return importTexts.tooLarge;
  return anyFailureText(error);
}

interface FileChoiceProps {
  isFirst: boolean;
  isBusy: boolean;
  onFile(file: File): void;
}

function FileChoice({ isFirst, isBusy, onFile }: FileChoiceProps) {
  const face = useContext(FaceContext);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const label = isFirst ? importTexts.choose : importTexts.other;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (file && !isBusy) onFile(file);
  };
  const allow = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      class={isOver ? 'import-file import-over' : 'import-file'}
      onDragOver={allow}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Button look={isFirst ? 'primary' : 'plain'} disabled={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      {face === 'desk' && <p class="soft small">{importTexts.drop}</p>}
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          // The browser reports the same file again, such as a corrected one, only if the field was cleared.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function ImportDone({ report, onOther }: { report: ImportReport; onOther(): void }) {
  const done = useRef<HTMLParagraphElement>(null);
  // The tapped button disappears, so the outcome takes the focus.
  useEffect(() => done.current?.focus(), []);
  const maps = report.maps.filter((map) => map.new).length;
  return (
    <Screen title={importTexts.title} back="/account">
      <div class="card stack">
        <p ref={done} tabIndex={-1} role="status">
          {importTexts.done(report.new, maps)}
        </p>
        <Link href="/" class="button button-primary">
          {texts.maps.title}
        </Link>
        <Button onClick={onOther}>{importTexts.other}</Button>
      </div>
    </Screen>
  );
}
