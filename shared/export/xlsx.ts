/**
 * Writes the steps as an XLSX workbook with one sheet (ECMA-376), row by row, so that memory does not grow with the
 * number of rows.
 */
import { Zip, ZipDeflate } from 'fflate';
import { stepColumns, stepRowsOf } from './columns.ts';
import type { RunSource } from './exported-run.ts';
import { sheetPath, sheetFoot, sheetHead, sheetRowXml, workbookFiles } from './xlsx-parts.ts';

/** The approximate length of the pieces in which text is compressed. */
const pieceLength = 64 * 1024;
/** A fixed time for the files in the ZIP, so that the same runs always give the same bytes. */
const zipTime = '1980-01-01T00:00:00';

export async function* stepsXlsx(runs: RunSource): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const takeReady = (): Uint8Array[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  for (const [name, text] of Object.entries(workbookFiles)) addFile(zip, name).push(encoder.encode(text), true);

  const sheet = addFile(zip, sheetPath);
  let text =
    sheetHead +
    sheetRowXml(
      stepColumns.map(({ name }) => ({ kind: 'text', value: name })),
      { row: 1, isHeader: true },
    );
  let row = 1;
  for await (const exported of runs()) {
    for (const step of stepRowsOf(exported)) {
      row += 1;
      const cells = stepColumns.map(({ kind, cell }) => ({ kind, value: cell(step) }));
      text += sheetRowXml(cells, { row, isHeader: false });
      if (text.length < pieceLength) continue;
      sheet.push(encoder.encode(text));
      text = '';
      yield* takeReady();
    }
  }
  sheet.push(encoder.encode(text + sheetFoot), true);
  zip.end();
  yield* takeReady();
}

const encoder = new TextEncoder();

function addFile(zip: Zip, name: string): ZipDeflate {
  const file = new ZipDeflate(name, { level: 6 });
  file.mtime = zipTime;
  zip.add(file);
  return file;
}
