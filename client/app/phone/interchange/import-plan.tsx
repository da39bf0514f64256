/** Shows before an import what it would create, or which cells of the file are wrong. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ImportReport } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { numberText } from '../../text/format.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';

/** Only the first errors are shown: a person corrects them, and has the file checked again. */
const problemsShownMax = 50;

interface ImportPlanProps {
  name: string;
  report: ImportReport;
  isBusy: boolean;
  onImport(): void;
}

export function ImportPlan({ name, report, isBusy, onImport }: ImportPlanProps) {
  const { errors_total, ignored_columns } = report;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section class="stack" aria-labelledby="import-file-name">
      <h2 id="import-file-name" class="import-name" ref={title} tabIndex={-1}>
        {name}
      </h2>
      {errors_total > 0 ? <Errors report={report} /> : <PlannedRecordings report={report} />}
      {report.warnings_total > 0 && <Warnings report={report} />}
      {ignored_columns.length > 0 && <p class="soft small">{importTexts.ignored(ignored_columns)}</p>}
      {errors_total === 0 && report.new > 0 && (
        <Button look="primary" wide disabled={isBusy} onClick={onImport}>
          {importTexts.start(report.new)}
        </Button>
      )}
    </section>
  );
}

function PlannedRecordings({ report }: { report: ImportReport }) {
  return (
    <>
      <dl class="card facts">
        <Fact label={importTexts.new}>{numberText(report.new)}</Fact>
        <Fact label={importTexts.there}>{numberText(report.already_there)}</Fact>
        <Fact label={importTexts.steps}>{numberText(report.steps)}</Fact>
      </dl>
      {report.new === 0 && <p class="card">{importTexts.nothingNew}</p>}
      <ul class="list import-rows" role="list" aria-label={importTexts.maps}>
        {report.maps.map((map, index) => (
          <li key={index}>
            <p class="list-name">{map.name}</p>
            <p class="soft small">
              {importTexts.recordings(map.recordings)}
              {map.new && ` · ${importTexts.newMap}`}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Errors({ report: { errors, errors_total } }: { report: ImportReport }) {
  const shown = errors.slice(0, problemsShownMax);
  return (
    <>
      <p class="card field-error">{importTexts.errors(errors_total)}</p>
      <Problems label={importTexts.wrong} problems={shown.map((error) => [error, importTexts.problem(error)])} />
      {errors_total > shown.length && <p class="soft">{importTexts.moreErrors(errors_total - shown.length)}</p>}
    </>
  );
}

function Warnings({ report: { warnings, warnings_total } }: { report: ImportReport }) {
  const shown = warnings.slice(0, problemsShownMax);
  return (
    <>
      <h3>{importTexts.warnings}</h3>
      <Problems
        label={importTexts.warnings}
        problems={shown.map((warning) => [warning, importTexts.warning(warning)])}
      />
      {warnings_total > shown.length && <p class="soft">{importTexts.moreWarnings(warnings_total - shown.length)}</p>}
    </>
  );
}

interface ProblemsProps {
  label: string;
  problems: [place: { line: number; column: string | null }, text: string][];
}

function Problems({ label, problems }: ProblemsProps) {
  return (
    <ul class="list import-rows" role="list" aria-label={label}>
      {problems.map(([{ line, column }, text], index) => (
        <li key={index}>
          <p class="list-name">{importTexts.place(line, column)}</p>
          <p class="small">{text}</p>
        </li>
      ))}
    </ul>
  );
}
