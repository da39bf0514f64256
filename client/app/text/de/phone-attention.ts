/** The texts about refused changes, in German. The glossary is in texts.ts. */
import type { Attention } from '../../../client.ts';
import { countText, numberText } from '../format.ts';
import { texts } from './texts.ts';

type English = typeof import('../en/phone-on-demand.ts');

const changeNames: Record<Attention['name'], string> = {
  create_map: 'Neuer Prozess',
  update_map: 'Änderung am Prozess',
  delete_map: 'Löschen des Prozesses',
  restore_map: 'Wiederherstellen des Prozesses',
  add_stage: 'Neuer Abschnitt',
  update_stage: 'Änderung am Abschnitt',
  delete_stage: 'Löschen des Abschnitts',
  reorder_stages: 'Neue Reihenfolge der Abschnitte',
  replace_stages: 'Neue Abschnitte eines Prozesses',
  upload_recording: 'Aufnahme',
  record_new_map: 'Aufnahme eines neuen Prozesses',
  update_run: 'Änderung am Durchlauf',
  correct_run: 'Korrektur des Durchlaufs',
  delete_run: 'Löschen des Durchlaufs',
};

type RefusalCode =
  | 'map_not_found'
  | 'stage_not_found'
  | 'run_not_found'
  | 'map_deleted'
  | 'map_cap_reached'
  | 'storage_limit_reached'
  | 'stage_ids_mismatch'
  | 'id_taken'
  | 'recording_session_mismatch'
  | 'validation_failed'
  | 'forbidden';

const refusals: Record<RefusalCode, string> = {
  map_not_found: 'Der zugehörige Prozess ist nicht oder nicht mehr vorhanden.',
  stage_not_found: 'Der zugehörige Abschnitt ist nicht oder nicht mehr vorhanden.',
  run_not_found: 'Der zugehörige Durchlauf ist nicht oder nicht mehr vorhanden.',
  map_deleted: 'Der zugehörige Prozess liegt im Papierkorb.',
  map_cap_reached:
    'Der Tarif erlaubt keine weiteren Prozesse. Die Arbeit bleibt hier gespeichert: einen Prozess löschen oder den Tarif erweitern, dann erneut senden.',
  storage_limit_reached:
    'Der Tarif erlaubt keine weiteren Daten. Die Arbeit bleibt hier gespeichert: Durchläufe löschen oder den Tarif erweitern, dann erneut senden.',
  stage_ids_mismatch: 'Inzwischen sind Abschnitte hinzugekommen oder gelöscht worden.',
  id_taken: 'Die Nummer ist bereits vergeben.',
  recording_session_mismatch: 'Unter derselben Kennung wurde bereits eine andere Aufnahme gesendet.',
  validation_failed: 'Eine Angabe darin ist ungültig.',
  forbidden: 'Dieses Gerät darf das nicht.',
};

const overtaken = 'Der Durchlauf wurde inzwischen geändert und behält die neuere Änderung.';
const runMissing =
  'Der Durchlauf wurde gelöscht oder ist dem Server verloren gegangen. Kommt er wieder, wird die Änderung automatisch gesendet.';

const runToDeleteMissing = 'Der Server hatte den Durchlauf nicht.';

const hasRefusal = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

export const attentionTexts: English['attentionTexts'] = {
  title: 'Probleme',
  emptyTitle: 'Keine Probleme',
  emptyText:
    'Änderungen, die der Server ablehnt, stehen hier mit dem Grund und den möglichen Lösungen. Nichts geht verloren.',
  message: ({ name, error: { code, detail }, because_of, is_overtaken }) => {
    if (because_of !== undefined) return `${changeNames[name]}: Das hängt von einer anderen abgelehnten Änderung ab.`;
    if (is_overtaken) return `${changeNames[name]}: nicht angenommen. ${overtaken}`;
    if (code === 'run_not_found')
      return `${changeNames[name]}: nicht angenommen. ${name === 'delete_run' ? runToDeleteMissing : runMissing}`;
    const reason = hasRefusal(code) ? refusals[code] : texts.errorText({ code, message: detail });
    return `${changeNames[name]}: nicht angenommen. ${reason}`;
  },
  dependsOnAbove: 'Hängt vom Eintrag darüber ab.',
  newerChange: 'Die neuere Änderung ansehen',
  made: (when) => `Vom ${when}`,
  steps: (steps, time) => `${countText(steps, 'Schritt', 'Schritte')}, ${time}`,
  remedies: {
    send_again: 'Erneut senden',
    restore_map: 'Prozess wiederherstellen',
    save_as_new_map: 'Als neuen Prozess speichern',
    new_id: 'Mit neuer Nummer senden',
    edit: 'Bearbeiten und senden',
    discard: 'Verwerfen',
  },
  fields: { name: 'Name', stage: 'Abschnitt', industry: 'Branche', description: 'Beschreibung' },
  blank: 'Das Feld darf nicht leer sein.',
  tooLong: (by) => `${countText(by, 'Zeichen', 'Zeichen')} zu lang`,
  sendAllAgain: (changes) => `Alle ${numberText(changes)} erneut senden`,
  sentLater: 'Erledigt. Die Änderung wird automatisch gesendet.',
  discarded: 'Verworfen',
  discardedTitle: 'Zuletzt verworfen',
  restoreChange: 'Wiederherstellen',
  names: changeNames,
};
