/** Shows before an import what the import would create, or which cells of the file are wrong. */
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
      {errors_total > 0 ? <ImportErrors report={report} /> : <PlannedRecordings report={report} />}
      {report.warnings_total > 0 && <ImportWarnings report={report} />}
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
        <ImportFact label={importTexts.new}>{numberText(report.new)}</ImportFact>
        <ImportFact label={importTexts.there}>{numberText(report.already_there)}</ImportFact>
        <ImportFact label={importTexts.steps}>{numberText(report.steps)}</ImportFact>
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

function ImportFact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ImportErrors({ report: { errors, errors_total } }: { report: ImportReport }) {
  const shown = errors.slice(0, problemsShownMax);
  return (
    <>
      <p class="card field-error">{importTexts.errors(errors_total)}</p>
      <ImportProblems label={importTexts.wrong} problems={shown.map((error) => [error, importTexts.problem(error)])} />
      {errors_total > shown.length && <p class="soft">{importTexts.moreErrors(errors_total - shown.length)}</p>}
    </>
  );
}

function ImportWarnings({ report: { warnings, warnings_total } }: { report: ImportReport }) {
  const shown = warnings.slice(0, problemsShownMax);
  return (
    <>
      <h3>{importTexts.warnings}</h3>
      <ImportProblems
        label={importTexts.warnings}
        problems={shown.map((warning) => [warning, importTexts.warning(warning)])}
      />
      {warnings_total > shown.length && <p class="soft">{importTexts.moreWarnings(warnings_total - shown.length)}</p>}
    </>
  );
}

interface ImportProblemsProps {
  label: string;
  problems: [place: { line: number; column: string | null }, text: string][];
}

function ImportProblems({ label, problems }: ImportProblemsProps) {
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
