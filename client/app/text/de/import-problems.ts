/** The texts of errors and warnings of an import in German, by their codes. The glossary is in texts.ts. */
import type { ImportErrorParams, ImportWarningParams } from '../../../client.ts';
import { numberText } from '../format.ts';

export const importProblems: { [Code in keyof ImportErrorParams]: (params: ImportErrorParams[Code]) => string } = {
  not_utf8: () => 'ist kein UTF-8. In Excel als „CSV UTF-8“ speichern',
  separator_unknown: ({ separator }) =>
    `nennt ${separator === '' ? 'kein Trennzeichen' : `das Trennzeichen ${separator}`}. Möglich sind Komma, Semikolon, Tabulator und |`,
  steps_missing: () => 'keine Zeile mit einem Schritt nach der Kopfzeile',
  file_too_long: () => 'ab hier ist die Datei zu lang. Bitte teilen',
  column_missing: ({ columns }) => `fehlt in der Kopfzeile. Nötig: ${oneOf(columns)}`,
  column_duplicate: () => 'steht zweimal in der Kopfzeile',
  quote_unclosed: () => 'Anführungszeichen ohne Ende',
  quote_after_blanks: () => 'Leerzeichen vor dem Anführungszeichen einer Zelle',
  quote_before_text: () => 'Text hinter dem Anführungszeichen am Ende der Zelle',
  cell_too_long: ({ limit }) => `eine Zelle hat mehr als ${numberText(limit)} Zeichen`,
  cells_too_many: ({ limit }) => `mehr als ${numberText(limit)} Zellen`,
  cells_beyond_header: ({ cells, limit }) => `${numberText(cells)} Zellen, die Kopfzeile hat ${numberText(limit)}`,
  character_unstorable: ({ character }) =>
    `hat ein Zeichen, das sich nicht speichern lässt (${character}). Bitte löschen oder die Datei neu als UTF-8 speichern`,
  cell_required: () => 'fehlt',
  number_expected: () => 'muss eine Zahl sein, etwa 12.5',
  number_unclear: ({ suggestions }) => `Komma für Dezimalen oder Tausender? Bitte schreiben: ${oneOf(suggestions)}`,
  decimal_comma: () =>
    'muss eine Zahl sein, etwa 12.5. Wo Kommas die Zellen trennen, steht vor den Dezimalen ein Punkt',
  decimal_mark_mixed: ({ other_line }) => `hat ein anderes Dezimalzeichen als Zeile ${numberText(other_line)}`,
  boolean_expected: () => 'muss true oder false sein',
  time_expected: () => timeExpected,
  time_without_offset: () => `${timeExpected}. Es fehlt Z oder die Zeitzone, etwa +02:00`,
  name_invalid: ({ limit }) =>
    `muss ein Name mit höchstens ${numberText(limit)} Zeichen sein, mindestens eins sichtbar`,
  notes_invalid: ({ limit }) => `darf höchstens ${numberText(limit)} Zeichen haben`,
  order_invalid: () => 'muss eine ganze Zahl sein',
  duration_invalid: () => 'muss eine Dauer in Sekunden sein, von 0 bis zu einem Jahr',
  work_type_invalid: () => 'muss valuable, incidental oder waste sein',
  session_invalid: () => 'darf höchstens 128 Zeichen haben, nur A–Z a–z 0–9 . _ : -',
  value_invalid: () => 'hat keinen erlaubten Wert',
  key_required: () => 'ist leer. So ist unklar, zu welcher Aufnahme der Schritt gehört',
  duration_required: () => 'fehlt. Ohne Dauer braucht der Schritt Beginn und Ende',
  duration_contradicts_times: ({ secs }) => `passt nicht zu Beginn und Ende, das sind ${numberText(secs)} s`,
  end_before_start: () => 'liegt vor dem Beginn des Schritts',
  order_required: () => 'ist leer, obwohl andere Schritte der Aufnahme es haben',
  order_duplicate: ({ order }) => `${order} steht zweimal in der Aufnahme`,
  starts_unsorted: ({ other_line }) =>
    `liegt vor dem Beginn in Zeile ${numberText(other_line)}, die davor steht. Bitte Zeilen sortieren`,
  starts_against_order: ({ other_line }) =>
    `liegt vor dem Beginn in Zeile ${numberText(other_line)}, obwohl order später ist`,
  steps_distant: ({ other_line, hours, key_column }) =>
    `liegt ${numberText(hours)} Stunden nach dem Ende von Zeile ${numberText(other_line)} mit gleicher ${key_column}. Sind es zwei Aufnahmen, bitte verschiedene ${key_column} eintragen, ist es eine, die Schritte in der Spalte order nummerieren`,
  recording_too_long: ({ limit }) => `hat mehr als ${numberText(limit)} Schritte`,
  recording_too_large: ({ limit }) => `hat mehr als ${numberText(limit)} Zeichen in den Schritten`,
  recording_of_two_maps: ({ other_line }) =>
    `ist ein anderer Prozess als in Zeile ${numberText(other_line)}, die zur selben Aufnahme gehört`,
  recording_duplicate: ({ other_line }) =>
    `ist dieselbe Aufnahme wie in Zeile ${numberText(other_line)}. Bitte beiden recording_session_id geben`,
  map_filled_otherwise: ({ other_line }) =>
    `ist anders gefüllt als in Zeile ${numberText(other_line)}, die zur selben Aufnahme gehört`,
  map_name_of_two: ({ other_line }) =>
    `ist ein anderer Prozess gleichen Namens als in Zeile ${numberText(other_line)}. Bitte einen umbenennen`,
  map_unknown: () => 'ist kein Prozess dieses Kontos',
  map_missing: () => 'ist der Name keines Prozesses. Bitte zuerst anlegen',
  map_ambiguous: () => 'heißen mehrere Prozesse. Bitte mit map_id unterscheiden',
  map_deleted: ({ map_name }) => `ist der Prozess „${map_name}“, der im Papierkorb liegt`,
  map_cap_reached: () => 'wäre ein Prozess mehr, als der Tarif erlaubt',
  session_with_other_steps: () => 'ist mit anderen Schritten schon vorhanden. Ein Import ändert keinen Durchlauf',
  session_with_other_start: ({ started_at }) =>
    `ist mit gleichen Schritten und anderem Beginn schon vorhanden (${started_at}). Ein Import ändert keinen Durchlauf`,
  session_of_other_map: () =>
    'ist als Aufnahme eines anderen Prozesses schon vorhanden. Vielleicht wurde ein Prozess umbenannt, archiviert oder gelöscht',
};

export const importWarnings: { [Code in keyof ImportWarningParams]: (params: ImportWarningParams[Code]) => string } = {
  map_name_similar: ({ map_name }) =>
    `ist ein neuer Name und ähnelt dem Prozess „${map_name}“. Ist er gemeint, bitte den Namen gleich schreiben`,
  map_archived_similar: ({ map_name }) =>
    `ist ein neuer Name und ähnelt dem archivierten Prozess „${map_name}“. Ist er gemeint, bitte seine map_id eintragen oder ihn aus dem Archiv holen`,
  new_names_similar: ({ map_name, other_line }) =>
    `ist ein neuer Name und ähnelt „${map_name}“ in Zeile ${numberText(other_line)}. Ist ein Prozess gemeint, bitte beide gleich schreiben`,
};

const timeExpected = 'muss ein Zeitpunkt mit Z oder Zeitzone sein, etwa 2026-07-01T07:42:10Z';

const oneOf = (texts: string[]): string => texts.join(' oder ');
