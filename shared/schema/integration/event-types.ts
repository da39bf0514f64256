/** The types of account events. Later versions add some. */

/** The kind of subject of each event type. The API document lists the types in this order. */
export const eventSubjectKinds = {
  'map.created': 'map',
  'map.updated': 'map',
  'map.deleted': 'map',
  'map.restored': 'map',
  'recording.received': 'run',
  'run.updated': 'run',
  'run.deleted': 'run',
  'device.paired': 'device',
  'device.updated': 'device',
  'device.revoked': 'device',
  'device.silent': 'device',
  'key.created': 'key',
  'key.revoked': 'key',
  'photo.stored': 'photo',
  'account.changed': 'account',
  'webhook.disabled': 'webhook',
} as const;
export type EventType = keyof typeof eventSubjectKinds;
export type EventSubjectKind = (typeof eventSubjectKinds)[EventType];
export const eventTypes = Object.keys(eventSubjectKinds) as EventType[];

export const isEventType = (text: string): text is EventType => (eventTypes as string[]).includes(text);
