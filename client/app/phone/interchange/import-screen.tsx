/** Imports recordings from a file: chooses the file, shows what the import would make, and imports it. */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { GembaError, type ImportReport } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { FaceContext, useGemba } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { importTexts } from '../../text/interchange/phone-interchange.ts';
import { texts } from '../../text/texts.ts';
import { anyFailureText } from './any-failure-text.ts';
import { ImportPlan } from './import-plan.tsx';

type Stage =
  | { is: 'choosing'; failure?: string }
  | { is: 'checking'; file: File }
  | { is: 'checked' | 'importing'; file: File; report: ImportReport }
  | { is: 'done'; report: ImportReport };

export function ImportScreen() {
  const gemba = useGemba();
  const [stage, setStage] = useState<Stage>({ is: 'choosing' });
  const isBusy = stage.is === 'checking' || stage.is === 'importing';
  const attempt = async (file: File, dryRun: boolean) => {
    try {
      const report = await gemba.importSteps(file, { dryRun, createMaps: true });
      // Something that changed since the check can be in the way of the import, which then stores nothing.
      setStage(dryRun || report.errors_total > 0 ? { is: 'checked', file, report } : { is: 'done', report });
    } catch (error) {
      setStage({ is: 'choosing', failure: textOf(error) });
    }
  };
  const check = (file: File) => {
    setStage({ is: 'checking', file });
    void attempt(file, true);
  };
  const start = (file: File, report: ImportReport) => {
    setStage({ is: 'importing', file, report });
    void attempt(file, false);
  };
  if (stage.is === 'done') return <ImportDone report={stage.report} onOther={() => setStage({ is: 'choosing' })} />;
  return (
    <Screen title={importTexts.title} back="/account">
      {stage.is === 'choosing' && <p>{importTexts.intro}</p>}
      <FileChoice isFirst={stage.is === 'choosing'} isBusy={isBusy} onFile={check} />
      {stage.is === 'choosing' && stage.failure && (
        <p class="card field-error" role="alert">
          {stage.failure}
        </p>
      )}
      <p role="status" class={isBusy ? undefined : 'visually-hidden'}>
        {stage.is === 'checking' && importTexts.checking}
        {stage.is === 'importing' && importTexts.importing(stage.report.new)}
      </p>
      {(stage.is === 'checked' || stage.is === 'importing') && (
        <ImportPlan
          name={stage.file.name}
          report={stage.report}
          isBusy={isBusy}
          onImport={() => start(stage.file, stage.report)}
        />
      )}
    </Screen>
  );
}

function textOf(error: unknown): string {
  // The file was moved or changed after it was chosen.
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
          // Lets a person choose the same file again, for example after they put it right.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function ImportDone({ report, onOther }: { report: ImportReport; onOther(): void }) {
  const done = useRef<HTMLParagraphElement>(null);
  // The button that imported is gone, so the outcome takes the focus.
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
