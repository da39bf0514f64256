/** The form that exports runs of a map to a file. The device makes the file, without a network. */
import { useEffect, useState } from 'preact/hooks';
import type { ExportFormat, Pending, RunRecord } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Link } from '../../shell/router.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { exportTexts } from '../../text/interchange/phone-interchange.ts';
import { anyFailureText } from './any-failure-text.ts';
import { fileNameOf } from './file-name.ts';
import { FormatChoice } from './format-choice.tsx';
import { LoadAllRuns } from './load-all-runs.tsx';
import { SaveOrShareFile } from './save-or-share-file.tsx';
import { offeredRunSetsOf, type OfferedRunSet, type RunSets } from './run-sets.ts';

type ExportFacts = typeof import('./export-limits.ts').exportFacts;

interface ExportedFile {
  file: File;
  content: string;
  /**
   * The choices and the records from which the form made the file, as JSON. If the form's present choices or records
   * differ, the form offers to make a new file.
   */
  source: string;
}

export function ExportForm({ mapId, sets }: { mapId: string; sets: RunSets }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const offered = offeredRunSetsOf(useValueOf(() => gemba.runs$(mapId), [gemba, mapId]) ?? [], sets);
  const [chosen, setChosen] = useState<string>();
  const [format, setFormat] = useState<ExportFormat>('steps.xlsx');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<ExportedFile>();
  const [failure, setFailure] = useState<string>();
  const { name: set = 'all', runs = [] } = offered.find(({ name }) => name === chosen) ?? offered[0] ?? {};
  const steps = runs.reduce((sum, { step_count }) => sum + step_count, 0);
  const stepsMax = useStepsMax(format);
  const isTooLarge = steps > stepsMax;
  const content = exportTexts.content(runs.length, steps);
  // Includes the records, since a sync can change a run or the map's name while the dialog is open.
  const sourceText = () => JSON.stringify([set, format, map?.name, runs]);
  const make = async () => {
    const source = sourceText();
    setMaking(true);
    setFailure(undefined);
    try {
      const ids = runs.map(({ id }) => id);
      // Without a byte order mark, Excel does not read CSV as UTF-8.
      const blob = await gemba.exportRuns(format, ids, format.endsWith('.csv') ? { bom: true } : {});
      const [only] = set === 'one' ? runs : [];
      const run = only && exportTexts.fileName.run(only.number);
      const name = fileNameOf({ mapName: map?.name ?? '', run, day: new Date(), format });
      setMade({ file: new File([blob], name, { type: blob.type }), content, source });
    } catch (error) {
      setFailure(anyFailureText(error));
    } finally {
      setMaking(false);
    }
  };
  return (
    <>
      {offered.length > 1 && (
        <RadioGroup label={exportTexts.which} options={runSetLabels(offered)} value={set} onValue={setChosen} />
      )}
      <FormatChoice value={format} onValue={setFormat} />
      <p role="status">{runs.length > 0 ? content : exportTexts.nothing}</p>
      <ExportNotices mapId={mapId} runs={runs} isWhole={set === 'all' || set === 'shown'} />
      {isTooLarge && (
        <p class="field-error" role="alert">
          {exportTexts.tooLarge(stepsMax)}
        </p>
      )}
      {failure && (
        <p class="field-error" role="alert">
          {failure}
        </p>
      )}
      {made && made.source === sourceText() ? (
        <SaveOrShareFile file={made.file} content={made.content} />
      ) : (
        <Button look="primary" wide disabled={runs.length === 0 || isTooLarge || isMaking} onClick={() => void make()}>
          {isMaking ? exportTexts.making : exportTexts.make}
        </Button>
      )}
    </>
  );
}

interface ExportNoticesProps {
  mapId: string;
  runs: readonly Pending<RunRecord>[];
  /** False if the person picked the runs, and so expects no other runs in the file. */
  isWhole: boolean;
}

/** Says which runs of the file are not on the server yet, and which runs of the map the file lacks. */
function ExportNotices({ mapId, runs, isWhole }: ExportNoticesProps) {
  const refused = (useValue(useGemba().attention$) ?? []).filter(
    ({ name, args }) => name === 'upload_recording' && args['map_id'] === mapId,
  );
  const unsent = runs.filter(({ pending }) => pending);
  return (
    <>
      {unsent.length > 0 && <p class="small">{exportTexts.unsent(unsent.length)}</p>}
      {isWhole && refused.length > 0 && (
        <p class="small">
          <Link href="/attention">{exportTexts.refused(refused.length)}</Link>
        </p>
      )}
      {isWhole && <LoadAllRuns mapId={mapId} />}
    </>
  );
}

const runSetLabels = (offered: readonly OfferedRunSet<unknown>[]): Record<string, string> =>
  Object.fromEntries(offered.map(({ name, runs }) => [name, exportTexts.sets[name](runs.length)]));

/** Returns how many steps a file of this format may have; Infinity until the code that knows the limits has loaded. */
function useStepsMax(format: ExportFormat): number {
  const [facts, setFacts] = useState<ExportFacts>();
  useEffect(() => {
    import('./export-limits.ts').then(
      ({ exportFacts }) => setFacts(exportFacts),
      // Throws during the next render, so that the error boundary catches the error.
      (error: unknown) =>
        setFacts(() => {
          throw error;
        }),
    );
  }, []);
  return facts?.[format].stepsMax ?? Infinity;
}
