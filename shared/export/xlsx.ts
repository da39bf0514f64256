/** Writes the steps as an XLSX workbook of one sheet (ECMA-376), row by row, so that the memory does not grow with the rows. */
import { Zip, ZipDeflate } from 'fflate';
import { stepColumns, stepRowsOf } from './columns.ts';
import type { RunSource } from './exported-run.ts';
import { sheetFile, sheetFoot, sheetHead, sheetRow, workbookFiles } from './xlsx-parts.ts';

/** Text is compressed in pieces of about this length. */
const pieceLength = 64 * 1024;
/** ZIP stores a time with each file. The same runs make the same bytes at any time, on the server and on a device. */
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

  const sheet = addFile(zip, sheetFile);
  let text =
    sheetHead +
    sheetRow(
      stepColumns.map(({ name }) => ({ kind: 'text', value: name })),
      { row: 1, isHeader: true },
    );
  let row = 1;
  for await (const exported of runs()) {
    for (const step of stepRowsOf(exported)) {
      row += 1;
      const cells = stepColumns.map(({ kind, cell }) => ({ kind, value: cell(step) }));
      text += sheetRow(cells, { row, isHeader: false });
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
