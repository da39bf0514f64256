/** The report of an import: the content of the file, the maps and runs that it creates, and each wrong cell. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Nullable } from '../fields.ts';
import { importErrorsMax } from './import-limits.ts';
import { ImportErrorCodeField, ImportParams, ImportWarningCodeField } from './import-problems.ts';

export const ImportError = Closed(
  {
    line: Described(Type.Integer({ minimum: 1 }), 'The line of the file, from 1, which is the header.'),
    column: Described(
      Nullable(Type.String()),
      'The column as the header of the file names it, or as it would be named where it is missing. null if the whole line, or the file, is wrong.',
    ),
    code: Described(ImportErrorCodeField, 'What is wrong, for programs and for texts in other languages.'),
    params: Described(ImportParams, 'The values of the code, of which such texts are made.'),
    message: Described(Type.String(), 'What is wrong and what is expected, in English.'),
  },
  { title: 'ImportError', description: 'A wrong cell of an imported file.' },
);
export type ImportError = Static<typeof ImportError>;

export const ImportWarning = Closed(
  {
    line: Described(Type.Integer({ minimum: 1 }), 'The line of the file, from 1, which is the header.'),
    column: Described(Type.String(), 'The column as the header of the file names it.'),
    code: Described(ImportWarningCodeField, 'What may be wrong, for programs and for texts in other languages.'),
    params: Described(ImportParams, 'The values of the code, of which such texts are made.'),
    message: Described(Type.String(), 'What may be wrong and what to do then, in English.'),
  },
  { title: 'ImportWarning', description: 'A cell of an imported file that is taken as it is, though it may be wrong.' },
);
export type ImportWarning = Static<typeof ImportWarning>;

export const ImportedMap = Closed(
  {
    map_id: Described(Nullable(Type.String()), 'The map. null if a dry run, or a file with errors, would make it.'),
    name: Described(Type.String(), 'The name of the map.'),
    new: Described(Type.Boolean(), 'Whether the import makes the map.'),
    recordings: Described(Type.Integer(), 'How many recordings of the file are of this map.'),
  },
  { title: 'ImportedMap', description: 'A map of an imported file.' },
);
export type ImportedMap = Static<typeof ImportedMap>;

const Count = Type.Integer({ minimum: 0 });

export const ImportReport = Closed(
  {
    dry_run: Described(Type.Boolean(), 'True if nothing was to be written.'),
    recordings: Described(Count, 'How many recordings the file has.'),
    new: Described(Count, 'How many of them the import makes runs of.'),
    already_there: Described(
      Count,
      'How many of them are there already, with the same steps. Nothing changes for them.',
    ),
    deleted: Described(
      Count,
      'How many of them were there and their runs were deleted, whatever their steps were. They do not come back, except under another `recording_session_id`.',
    ),
    steps: Described(Count, 'How many steps the recordings of the file have.'),
    maps: Described(Type.Array(ImportedMap), 'The maps of the recordings, in the order of the file.'),
    ignored_columns: Described(Type.Array(Type.String()), 'The columns of the file from which nothing is taken.'),
    errors: Described(
      Type.Array(ImportError),
      `What is wrong, in the order of the lines, at most ${importErrorsMax}. With an error, nothing is written.`,
    ),
    errors_total: Described(Count, 'How many errors there are.'),
    warnings: Described(
      Type.Array(ImportWarning),
      `What may be wrong, in the order of the lines, at most ${importErrorsMax}. Nothing is refused for it.`,
    ),
    warnings_total: Described(Count, 'How many warnings there are.'),
  },
  { title: 'ImportReport', description: 'What a file of steps has, what it makes, and what is wrong with it.' },
);
export type ImportReport = Static<typeof ImportReport>;
