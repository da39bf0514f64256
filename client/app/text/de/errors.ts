/** The German texts of errors, by their codes. A phone and a desk load them on demand, a watch at its start. */
import type { DeviceErrorCode } from '../../../client.ts';
import type { openingErrorTexts } from './texts.ts';

/** The codes with which the server can refuse a change or a sync. pairing.ts has the texts of refused pairings. */
type ServerErrorCode =
  | 'account_mismatch'
  | 'forbidden'
  | 'internal_error'
  | 'map_cap_reached'
  | 'map_deleted'
  | 'map_not_found'
  | 'payload_too_large'
  | 'protocol_too_old'
  | 'rate_limited'
  | 'run_not_found'
  | 'stage_not_found'
  | 'storage_limit_reached'
  | 'unauthorized'
  | 'unavailable'
  | 'validation_failed';

/** The errors of kinds of storage that the app does not use. */
type OtherStorageErrorCode = 'storage_in_use' | 'storage_unusable';

/** The errors of photos, which a watch does not take; phone-photos.ts has their texts. */
export type PhotoErrorCode = Extract<DeviceErrorCode, `photo_${string}`>;

type OtherErrorCode = Exclude<DeviceErrorCode, keyof typeof openingErrorTexts | PhotoErrorCode | OtherStorageErrorCode>;

export const errorTexts: Record<OtherErrorCode | ServerErrorCode, string> = {
  recording_under_way: 'Bitte zuerst die laufende Aufnahme beenden oder verwerfen.',
  recording_empty: 'Die Aufnahme hat noch keinen Schritt.',
  recording_ended: 'Die Aufnahme ist bereits beendet oder verworfen.',
  tap_refused: 'Das geht in dieser Aufnahme jetzt nicht.',
  attention_not_found: 'Diese Änderung ist bereits erledigt.',
  remedy_unfit: 'Das hilft bei dieser Änderung nicht.',
  unsent_file_invalid: 'Die Datei ist nicht lesbar. Nichts wurde geändert.',
  unsent_file_too_new: 'Die Datei ist von einer neueren App. Bitte aktualisieren.',
  account_mismatch: 'Dieses Gerät hat nicht gesendete Arbeit eines anderen Kontos.',
  forbidden: 'Dieses Gerät darf das nicht.',
  internal_error: 'Fehler im Server.',
  map_cap_reached: 'Der Tarif erlaubt keine weiteren Prozesse.',
  map_deleted: 'Der Prozess liegt im Papierkorb.',
  map_not_found: 'Diesen Prozess gibt es nicht mehr.',
  payload_too_large: 'Das ist zu groß für den Server.',
  protocol_too_old: 'Diese App ist zu alt für den Server. Bitte aktualisieren.',
  rate_limited: 'Zu viele Anfragen. Gemba versucht es gleich wieder.',
  run_not_found: 'Diesen Durchlauf gibt es nicht mehr.',
  stage_not_found: 'Diesen Abschnitt gibt es nicht mehr.',
  storage_limit_reached: 'Der Tarif erlaubt keine weiteren Daten.',
  unauthorized: 'Dieses Gerät wurde aus dem Konto entfernt.',
  unavailable: 'Der Server antwortet gerade nicht.',
  validation_failed: 'Eine Angabe ist ungültig.',
};
