/** The texts of the panel. */
import type { DeviceSnapshot, OutboxItem, RecordingCustody, SyncRequest, SyncRound } from '../../inspect/shapes.ts';

const countText = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;

export const texts = {
  title: 'What this device is doing',
  loading: 'Reading…',
  failed: 'This could not be read.',
  unknown: 'not known',
  none: 'none',
  never: 'never',
  yes: 'yes',
  no: 'no',
  more: (count: string) => `${count} more are not shown.`,

  device: {
    title: 'Device',
    status: 'Status',
    error: 'Reason',
    lastSynced: 'Last synced',
    version: 'Version',
    kind: 'Kind',
    server: 'Server',
    deviceId: 'Device ID',
    clientId: 'Client ID',
    token: 'Has a token',
    numbers: 'Last, sent, proven number',
    timeZone: 'Time zone',
    browser: 'Runs on',
  },
  phases: {
    offline: 'Offline',
    idle: 'Up to date',
    syncing: 'Syncing',
    waiting: 'Waits to try again',
    blocked: 'Blocked',
    between: 'Between rounds',
  } satisfies Record<SyncRound['outcome'], string>,

  outbox: {
    title: 'Outbox',
    empty: 'Nothing waits, and nothing was refused.',
    states: {
      pending: 'waits',
      forwarded: 'waits under an earlier client ID',
      refused: 'refused',
      discarded: 'discarded',
      receipt: 'on the server',
    } satisfies Record<OutboxItem['state'], string>,
    noop: 'sent without its content',
    attempts: (count: string) => `sent ${count === '1' ? 'once' : `${count} times`}`,
    failure: (code: string) => `failed: ${code}`,
    content: 'Content',
  },

  records: {
    title: 'Records',
    counts: (maps: string, runs: string) =>
      `${countText(maps, 'map', 'maps')} and ${countText(runs, 'run', 'runs')} pulled`,
    cursor: 'Cursor',
    map: 'Map',
    run: 'Run',
    choose: 'Choose…',
    noRun: 'The map itself',
    pending: (name: string) => `${name} (not sent)`,
    onlyHere: 'The server does not have it yet.',
    removed: 'A change that waits deletes it.',
    same: 'It is as the server has it.',
    changed: 'Changed here, and not on the server yet:',
    onTop: 'Changes that wait on top',
    base: 'From the server',
    shown: 'With what waits on top',
  },

  custody: {
    title: 'Custody',
    own: 'Recordings of this device',
    empty: 'This device has no recordings of its own.',
    places: { device: 'on this device', server: 'on the server' } satisfies Record<RecordingCustody['custody'], string>,
    draft: 'under way',
    carriers: (count: string) => `handed to ${countText(count, 'carrier', 'carriers')}`,
    carrying: 'Carried for others',
    carried: (messages: string, size: string) => `${countText(messages, 'message', 'messages')}, ${size}`,
    oldest: 'Oldest since',
    codes: 'Read from screens',
    delivered: (delivered: string, all: string) => `${delivered} of ${all} delivered`,
    problem: 'Hand-over refused',
  },

  sync: {
    title: 'Sync',
    trace: 'Note the rounds of the sync',
    empty: 'No round since the trace began.',
    otherTab: 'Another tab of this browser syncs. Open this panel there to see its requests.',
    round: (ms: string) => `${ms} ms`,
    requests: (count: string) => countText(count, 'request', 'requests'),
    waiting: (before: string, after: string) => `waiting: ${before} before, ${after} after`,
    written: (count: string) => `${countText(count, 'record', 'records')} written`,
    leftOut: (count: string) => `${countText(count, 'earlier request', 'earlier requests')} left out`,
    kinds: {
      push: 'Push',
      pull: 'Pull',
      runs: 'Runs on demand',
      events: 'Event stream',
      photos: 'Photo',
      other: 'Other request',
    } satisfies Record<SyncRequest['kind'], string>,
    sent: (size: string) => `${size} sent`,
    received: (size: string) => `${size} received`,
    byCarrier: 'by a carrier',
    waitingForAnswer: 'no answer yet',
  },

  journal: {
    title: 'Second copy',
    state: 'State',
    states: { kept: 'up to date', behind: 'behind', none: 'none in this place' } satisfies Record<
      DeviceSnapshot['journal']['state'],
      string
    >,
    rows: 'Rows',
    written: 'Last write',
    size: 'Size of its files',
  },

  storage: {
    title: 'Storage',
    driver: 'Driver',
    usage: 'In use',
    quota: 'Most that may be used',
    persisted: 'Kept by the browser',
    problem: 'Problem',
    rows: (count: string) => countText(count, 'row', 'rows'),
  },

  support: {
    title: 'File for support',
    why: 'One file with all of the above. It has no tokens, keys, codes or photos. Names and texts are replaced by numbers.',
    include: 'Include names, notes and the texts of steps as they are',
    make: 'Make the file',
    making: 'Making the file…',
    made: (name: string, size: string) => `${name}, ${size}`,
    save: 'Save',
    share: 'Share',
    notShared: 'The file could not be shared. Save it instead.',
    failed: 'The file could not be made.',
  },
};

export type DevtoolsTexts = typeof texts;
