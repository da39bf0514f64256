/** The English message of each error and warning. A message follows its place, as in `line 3, order: is required`. */
import { recordingsPerImportMax, stepsPerImportMax } from '../schema/integration/import-limits.ts';
import type { ImportErrorCode, ImportErrorParams, ImportWarningParams } from '../schema/integration/import-problems.ts';

/** The codes whose messages come from the schemas of the REST routes. */
export type SchemaErrorCode = Extract<ImportErrorCode, `${string}_invalid`>;

export type MessageCode = Exclude<ImportErrorCode, SchemaErrorCode>;

export const errorMessages: { [Code in MessageCode]: (params: ImportErrorParams[Code]) => string } = {
  not_utf8: () => 'is not UTF-8; in Excel, save the file as "CSV UTF-8"',
  separator_unknown: ({ separator }) =>
    `names ${separator ? `the separator ${separator}` : 'no separator'}; write sep=, or sep=; or sep=| or sep= with a tab`,
  steps_missing: () => 'no line with a step follows the header',
  file_too_long: () =>
    `here the file has more than ${stepsPerImportMax} steps or ${recordingsPerImportMax} recordings; divide it`,
  column_missing: ({ columns }) => `is missing: a file needs ${columns.join(', or ')}`,
  column_duplicate: () => 'stands twice in the header',
  quote_unclosed: () => 'a quote begins a cell here, and no quote ends it',
  quote_after_blanks: () => 'blanks stand before the quote that begins a cell',
  quote_before_text: () => 'text follows the quote that ends a cell',
  cell_too_long: ({ limit }) => `a cell has more than ${limit} characters`,
  cells_too_many: ({ limit }) => `there are more than ${limit} cells`,
  cells_beyond_header: ({ cells, limit }) => `has ${cells} cells, and the header has ${limit}`,
  character_unstorable: ({ character }) => {
    const what = character === 'U+0000' ? 'the character NUL' : 'half of a character';
    return `has ${what} (${character}), which cannot be stored; delete it, or save the file again as UTF-8`;
  },
  cell_required: () => 'is required',
  number_expected: () => 'must be a number, such as 12.5',
  number_unclear: ({ suggestions }) =>
    `may have a decimal comma or separate thousands; write ${suggestions.join(' or ')}`,
  decimal_comma: () =>
    'must be a number, such as 12.5; in a file with commas between its cells, write decimals with a point',
  decimal_mark_mixed: ({ other_line }) => `has another decimal mark than line ${other_line}; a file has one`,
  boolean_expected: () => 'must be true or false',
  time_expected: () => timeExpectedMessage,
  time_without_offset: () => `${timeExpectedMessage}; it lacks its offset: add Z, or one such as +02:00`,
  key_required: () => 'is empty, so nobody knows which recording the step is of',
  duration_required: () => 'is required, unless the step has its start and its end',
  duration_contradicts_times: ({ secs }) => `is not the time from start to end, ${secs} s`,
  end_before_start: () => 'is before the start of the step',
  order_required: () => 'is empty, though other steps of the recording have it',
  order_duplicate: ({ order }) => `order ${order} stands twice in the recording`,
  starts_unsorted: ({ other_line }) => `is earlier than in line ${other_line}, which stands before it; sort the lines`,
  starts_against_order: ({ other_line }) => `is earlier than in line ${other_line}, and its order is later`,
  steps_distant: ({ other_line, hours, key_column }) =>
    `is ${hours} hours after the end of the step in line ${other_line}, which has the same ${key_column}; give another ${key_column} to each recording or, if they are one, number its steps in a column order`,
  recording_too_long: ({ limit }) => `has more than ${limit} steps`,
  recording_too_large: ({ limit }) => `has more than ${limit} characters in its steps`,
  recording_of_two_maps: ({ other_line }) => `is another map than in line ${other_line}, which has the same recording`,
  recording_duplicate: ({ other_line }) =>
    `is the same recording as in line ${other_line}; give both a recording_session_id`,
  map_filled_otherwise: ({ other_line }) =>
    `is filled otherwise than in line ${other_line}, which has the same recording`,
  map_name_of_two: ({ other_line }) =>
    `is another map of the same name than in line ${other_line}; give one of them another name`,
  map_unknown: () => 'is no map of this account',
  map_missing: () => 'is the name of no map; make it first, or import with create_maps=true',
  map_ambiguous: () => 'is the name of more than one map; say which by map_id',
  map_deleted: ({ map_name }) => `is the map ${map_name}, which is in the recycle bin`,
  map_cap_reached: () => 'would be one more map than the plan of the account allows',
  session_with_other_steps: ({ recording_session_id }) =>
    `has the recording session ${recording_session_id}, which is there with other steps; an import changes no run`,
  session_with_other_start: ({ recording_session_id, started_at }) =>
    `has the recording session ${recording_session_id}, which is there with the same steps and another start, ${started_at}; an import changes no run`,
  session_of_other_map: ({ recording_session_id, map_id }) =>
    `has the recording session ${recording_session_id}, which is there as one of another map (${map_id}), perhaps since a map was renamed, archived or deleted; an import changes no run`,
};

export const warningMessages: { [Code in keyof ImportWarningParams]: (params: ImportWarningParams[Code]) => string } = {
  map_name_similar: ({ map_name }) =>
    `is a new name that looks like the map ${map_name}; if that map is meant, write its name the same way`,
  map_archived_similar: ({ map_name }) =>
    `is a new name, and looks like the archived map ${map_name}; if that map is meant, name it by map_id or take it out of the archive`,
  new_names_similar: ({ map_name, other_line }) =>
    `is a new name that looks like ${map_name} in line ${other_line}; if one map is meant, write both the same way`,
};

const timeExpectedMessage = 'must be a time in ISO 8601 with Z or an offset, such as 2026-07-01T07:42:10Z';
