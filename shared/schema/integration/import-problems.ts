/** The codes of errors and warnings about an imported file, and the values (`params`) that belong to each code. */
import { Type, type Static } from 'typebox';
import { Closed, Described } from '../fields.ts';

const OptionalInteger = Type.Optional(Type.Integer());
const OptionalText = Type.Optional(Type.String());

export const ImportParams = Closed(
  {
    other_line: Described(OptionalInteger, 'The line of the file that this line does not fit.'),
    limit: Described(OptionalInteger, 'The allowed maximum.'),
    columns: Described(Type.Optional(Type.Array(Type.String())), 'The columns of which one is needed.'),
    cells: Described(OptionalInteger, 'How many cells the line has.'),
    separator: Described(OptionalText, 'The separator that the line `sep=` names.'),
    character: Described(OptionalText, 'The code point, such as `U+0000`.'),
    suggestions: Described(Type.Optional(Type.Array(Type.String())), 'The possible meanings of the cell.'),
    secs: Described(Type.Optional(Type.Number()), 'The seconds from the start to the end of the step.'),
    hours: Described(OptionalInteger, 'The whole hours between the two steps.'),
    key_column: Described(OptionalText, 'The column that makes one recording of both lines.'),
    order: Described(OptionalInteger, 'The `order` that two steps have.'),
    map_id: Described(OptionalText, 'The map.'),
    map_name: Described(OptionalText, 'The name of the map.'),
    recording_session_id: Described(OptionalText, 'The recording session.'),
    started_at: Described(OptionalText, 'When the run began.'),
  },
  { title: 'ImportParams', description: 'The values of an error or a warning. Its code decides which there are.' },
);
export type ImportParams = Static<typeof ImportParams>;

/**
 * The error codes, each with the names of its values, in this order: codes of the file, header, cells, step, recording,
 * map and account.
 */
export const errorParams = {
  not_utf8: [],
  separator_unknown: ['separator'],
  steps_missing: [],
  file_too_long: [],
  column_missing: ['columns'],
  column_duplicate: [],
  quote_unclosed: [],
  quote_after_blanks: [],
  quote_before_text: [],
  cell_too_long: ['limit'],
  cells_too_many: ['limit'],
  cells_beyond_header: ['cells', 'limit'],
  character_unstorable: ['character'],
  cell_required: [],
  number_expected: [],
  number_unclear: ['suggestions'],
  decimal_comma: [],
  decimal_mark_mixed: ['other_line'],
  boolean_expected: [],
  time_expected: [],
  time_without_offset: [],
  name_invalid: ['limit'],
  notes_invalid: ['limit'],
  order_invalid: [],
  duration_invalid: [],
  work_type_invalid: [],
  session_invalid: [],
  value_invalid: [],
  key_required: [],
  duration_required: [],
  duration_contradicts_times: ['secs'],
  end_before_start: [],
  order_required: [],
  order_duplicate: ['order'],
  starts_unsorted: ['other_line'],
  starts_against_order: ['other_line'],
  steps_distant: ['other_line', 'hours', 'key_column'],
  recording_too_long: ['limit'],
  recording_too_large: ['limit'],
  recording_of_two_maps: ['other_line'],
  recording_duplicate: ['other_line'],
  map_filled_otherwise: ['other_line'],
  map_name_of_two: ['other_line'],
  map_unknown: [],
  map_missing: [],
  map_ambiguous: [],
  map_deleted: ['map_name'],
  map_cap_reached: [],
  session_with_other_steps: ['recording_session_id'],
  session_with_other_start: ['recording_session_id', 'started_at'],
  session_of_other_map: ['recording_session_id', 'map_id'],
} as const satisfies ParamNames;

/** The warning codes, each with the names of its values. */
export const warningParams = {
  map_name_similar: ['map_name', 'map_id'],
  map_archived_similar: ['map_name', 'map_id'],
  new_names_similar: ['map_name', 'other_line'],
} as const satisfies ParamNames;

type ParamNames = Record<string, readonly (keyof ImportParams)[]>;

/** The types of the values of each code in a table. */
type ParamsByCode<Table extends ParamNames> = {
  [Code in keyof Table]: Required<Pick<ImportParams, Table[Code][number]>>;
};

const codesOf = <Table extends ParamNames>(table: Table): (keyof Table & string)[] => Object.keys(table);

export type ImportErrorParams = ParamsByCode<typeof errorParams>;
export type ImportErrorCode = keyof ImportErrorParams;
export const importErrorCodes: ImportErrorCode[] = codesOf(errorParams);

export type ImportWarningParams = ParamsByCode<typeof warningParams>;
export type ImportWarningCode = keyof ImportWarningParams;

export const ImportWarningCodeField = Type.Enum(codesOf(warningParams), {
  title: 'ImportWarningCode',
  description: 'What may be wrong with an imported file.',
});

export const ImportErrorCodeField = Type.Enum(importErrorCodes, {
  title: 'ImportErrorCode',
  description: 'What is wrong with an imported file.',
});
