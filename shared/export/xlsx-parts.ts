/** The files inside a workbook (ECMA-376, Part 1), and the rows of its sheet. */
import type { Cell, Column } from './columns.ts';

interface TypedCell {
  kind: Column<never>['kind'];
  value: Cell;
}

export const sheetPath = 'xl/worksheets/sheet1.xml';

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationshipsNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypePrefix = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The indexes of the styles in the list `cellXfs` of styles.xml. A cell refers to its style by this index. */
const styleIndexes = { time: 1, header: 2 };

/** All files except the sheet. */
export const workbookFiles: Record<string, string> = {
  '[Content_Types].xml': `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypePrefix}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypePrefix}.styles+xml"/><Override PartName="/${sheetPath}" ContentType="${contentTypePrefix}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${xmlHead}<Relationships xmlns="${packageRelationshipsNamespace}"><Relationship Id="rId1" Type="${relationshipsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}"><sheets><sheet name="Steps" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xmlHead}<Relationships xmlns="${packageRelationshipsNamespace}"><Relationship Id="rId1" Type="${relationshipsNamespace}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationshipsNamespace}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${xmlHead}<styleSheet xmlns="${mainNamespace}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/** The beginning of the sheet. It freezes the first row, the header. */
export const sheetHead = `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
/** The end of the sheet. It keeps Excel from marking each id as a number that is stored as text. */
export const sheetFoot =
  '</sheetData><ignoredErrors><ignoredError sqref="A2:A1048576" numberStoredAsText="1"/></ignoredErrors></worksheet>';

export function sheetRowXml(cells: TypedCell[], { row, isHeader }: { row: number; isHeader: boolean }): string {
  const texts = cells.map((cell, index) => cellXml(cell, `${columnLetters[index]}${row}`, isHeader));
  return `<row r="${row}">${texts.join('')}</row>`;
}

/** The letters of the columns. No table has more than 26. */
const columnLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function cellXml({ kind, value }: TypedCell, at: string, isHeader: boolean): string {
  if (value === null || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === 'number' && kind !== 'id') return `<c r="${at}"><v>${value}</v></c>`;
  const days = kind === 'time' ? (Date.parse(String(value)) - dayZeroMs) / msPerDay : undefined;
  if (days !== undefined && days >= exactDaysMin) return `<c r="${at}" s="${styleIndexes.time}"><v>${days}</v></c>`;
  const style = isHeader ? ` s="${styleIndexes.header}"` : '';
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${escapeText(String(value))}</t></is></c>`;
}

/** The day 0 of spreadsheets. */
const dayZeroMs = Date.UTC(1899, 11, 30);
const msPerDay = 86_400_000;
/** Excel counts days correctly from this day on, 1 March 1900. Earlier times are written as text. */
const exactDaysMin = 61;

/** The longest text in a cell that Excel accepts. */
const cellLengthMax = 32_767;

function escapeText(text: string): string {
  const shown = text.length > cellLengthMax ? text.slice(0, cellLengthMax).replace(/[\uD800-\uDBFF]$/, '') : text;
  return shown
    .replace(/\r\n?/g, '\n')
    .replace(escapeLikePattern, '_x005F_')
    .replace(unrepresentablePattern, (character) => `_x${hexOf(character)}_`)
    .replace(/[&<>]/g, (character) => xmlReferences[character]!);
}

/** Matches the characters that XML cannot represent. */
const unrepresentablePattern = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/**
 * Matches the first underscore of a text like `_x000D_`, which Excel would read as an escaped character. In place of
 * the second underscore, an unrepresentable character may stand, since its escape will begin with an underscore.
 */
const escapeLikePattern = new RegExp(`_(?=x[0-9A-Fa-f]{4}(?:_|${unrepresentablePattern.source}))`, 'gu');
const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
const xmlReferences: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
