/** The texts of the phone's screens that load on demand (on-demand.tsx). */
import type { Attention, DeviceHealth, Remedy, StagesMode, Status, WorkType } from '../../../client.ts';
import { countText, numberText, type TimeNotation } from '../format.ts';
import { texts } from './texts.ts';
import { undoneTexts } from './undone.ts';

export { deviceTexts, formTexts, keyTexts, pairOtherDeviceTexts } from './phone-devices.ts';
export { photoTexts } from './phone-photos.ts';

export const stageTexts = {
  add: 'Add stage',
  addNow: 'Add',
  move: (name: string) => `Move ${name}`,
  moveHint: 'Drag, or press the arrow keys.',
  emptyTitle: 'No stages yet',
  emptyText: 'Record the process once: each step becomes a stage with its time. Or add the stages by hand.',
  moved: (name: string, position: number, of: number) =>
    `${name} moved to position ${numberText(position)} of ${numberText(of)}`,
  edit: 'Edit stage',
  name: 'Stage name',
  nameHint: 'For example: Press, or Wait for the crane.',
  cycle: 'Cycle time',
  wait: 'Waiting before',
  unit: (time: string) => `${time}: unit`,
  units: { clock: 'm:ss', centiminute: 'cmin', second: 'sec', minute: 'min', hour: 'hr', day: 'days' },
  workType: 'Work type',
  remove: 'Delete stage',
  removed: (name: string) => `${name} deleted`,
  up: 'Move up',
  down: 'Move down',
  to: 'New position',
  moveTo: 'Move',
  noPosition: (stages: number) => `Enter a number from 1 to ${numberText(stages)}.`,
  at: (position: number, of: number) => `Position ${numberText(position)} of ${numberText(of)}`,
  unnamed: 'Enter a stage name.',
  noTime: (example: string) => `Enter a time such as ${example}, or a number, 0 or more.`,
};

/** The texts of a long list that is folded into groups and can be searched. */
export const foldedListTexts = {
  search: 'Search by name or number',
  found: (found: number, of: number) => `${numberText(found)} of ${numberText(of)}`,
  groups: (list: string) => `${list} in groups`,
  range: (first: number, last: number) => `${numberText(first)} to ${numberText(last)}`,
  fromTo: (first: string, last: string) => `${first} … ${last}`,
  more: (more: number) => `${numberText(more)} more. Type a part of the name.`,
  earlier: (steps: number) => `Show ${countText(steps, 'earlier step', 'earlier steps')}`,
};

export const recordTexts = {
  nothing: 'No recording in progress',
  choose: 'Choose a map to record.',
  steps: 'Steps so far',
  undone: undoneTexts,
  ask: {
    partial: (stages: number, of: number) => `${numberText(stages)} of ${numberText(of)} stages recorded`,
    future: 'This map is a future state',
    modes: {
      keep: 'Only this run',
      merge: 'Update the map',
      replace: "Replace the map's stages",
    } satisfies Record<StagesMode, string>,
  },
  which: 'Other step or note',
  findName: 'Step or new name',
  newName: 'Name of the next step',
  note: (step: string) => `Note for ${step}`,
  start: 'Start step',
  addNote: 'Add note',
  finishTitle: 'Finish the recording',
  modeHints: {
    keep: 'The map stays as it is.',
    merge: 'Recorded stages take the new times. All others stay.',
    replace: 'All other stages and all waiting times are removed.',
  } satisfies Record<StagesMode, string>,
  end: (time: string) => `Ends after ${time}`,
  moveEnd: {
    clock: {
      minus: '−1 s',
      plus: '+1 s',
      earlier: '−1 s, end 1 second earlier',
      later: '+1 s, end 1 second later',
    },
    centiminute: {
      minus: '−1 cmin',
      plus: '+1 cmin',
      earlier: '−1 cmin, end 1 centiminute earlier',
      later: '+1 cmin, end 1 centiminute later',
    },
  } satisfies Record<TimeNotation, Record<'minus' | 'plus' | 'earlier' | 'later', string>>,
  gap: 'Time between cycles as a step',
  discarded: 'Recently discarded',
  resume: (name: string, discardedAt: string) => `Resume ${name}, ${discardedAt}`,
};

export const attentionTexts = {
  title: 'Needs attention',
  emptyTitle: 'Nothing needs attention',
  emptyText: 'Changes that the server refuses are listed here, with the reason and what you can do. Nothing is lost.',
  message: ({ message }: Attention): string => message,
  dependsOnAbove: 'Depends on the item above.',
  newerChange: 'See the newer change',
  made: (when: string) => `Made ${when}`,
  steps: (steps: number, time: string) => `${countText(steps, 'step', 'steps')}, ${time}`,
  remedies: {
    send_again: 'Send again',
    restore_map: 'Restore the map',
    save_as_new_map: 'Save as a new map',
    new_id: 'Send with a new ID',
    edit: 'Edit and send',
    discard: 'Discard',
  } satisfies Record<Remedy, string>,
  fields: { name: 'Name', stage: 'Stage', industry: 'Industry', description: 'Description' },
  blank: 'This cannot be empty.',
  tooLong: (by: number) => `${countText(by, 'character', 'characters')} too long`,
  sendAllAgain: (changes: number) => `Send all ${numberText(changes)} again`,
  sentLater: 'Done. It is sent automatically.',
  discarded: 'Discarded',
  discardedTitle: 'Recently discarded',
  restoreChange: 'Restore',
  names: {
    create_map: 'New map',
    update_map: 'Map change',
    delete_map: 'Map deletion',
    restore_map: 'Map restored',
    add_stage: 'New stage',
    update_stage: 'Stage change',
    delete_stage: 'Stage deletion',
    reorder_stages: 'New order of stages',
    replace_stages: 'New stages of a map',
    upload_recording: 'Recording',
    record_new_map: 'Recording of a new map',
    update_run: 'Run change',
    correct_run: 'Run correction',
    delete_run: 'Run deletion',
  } satisfies Record<Attention['name'], string>,
};

/** Says why a map or a run is not there. */
export const missingRecordTexts = {
  title: 'Map not found',
  home: 'Go to the maps',
  map: 'This map was deleted, or the link is wrong.',
  run: 'This run was deleted, or the link is wrong.',
  kept: 'Nothing is lost: it is kept on this device under “Needs attention”.',
};

export const syncTexts = {
  title: 'Sync',
  pairingLost:
    'The browser deleted the data of this device. Unsent work is kept, and is sent once the device is paired again.',
  now: 'Sync now',
  phases: {
    offline: 'No connection to the server. Keep working: this device saves everything and sends it later.',
    idle: 'Connected. Your changes are sent at once.',
    syncing: 'Syncing…',
    waiting: 'The server is busy or has a problem. Gemba tries again automatically.',
    blocked: 'Sync is paused until this problem is solved.',
  } satisfies Record<Status['phase'], string>,
  answers: {
    offline: "You're offline. Everything is sent once the server can be reached.",
    idle: 'Everything is up to date.',
    syncing: 'Still syncing…',
    waiting: 'The server is busy. Gemba tries again automatically.',
    blocked: 'Sync is paused. The reason is on this screen.',
  } satisfies Record<Status['phase'], string>,
  progress: (done: number, total: number | null) =>
    total === null ? `${numberText(done)} so far` : `${numberText(done)} of ${numberText(total)}`,
  inProgress: 'In progress',
  pending: texts.maps.pending,
  oldest: 'Oldest unsent',
  last: 'Last synced',
  never: 'Never',
  error: 'Reason',
  attention: 'Refused by the server',
  seeAttention: 'See what needs attention',
  handOver: 'Hand over to a phone',
  carry: 'Carry for others',
  install: 'Add Gemba to the home screen',
  installWhy: 'It then opens like any other app, and the browser is less likely to delete your data.',
  installNow: 'Install',
  installByHand:
    'In Safari tap Share, then Add to Home Screen. Sync here first: you will have to pair Gemba once more there.',
  times: 'Times on this device',
  timeNotations: { clock: 'Minutes and seconds', centiminute: 'Centiminutes (cmin)' } satisfies Record<
    TimeNotation,
    string
  >,
  timesExample: (time: string) => `A minute and a quarter is written ${time}.`,
  runsKept: 'Runs on this device',
  runsKeptChoices: { 500: 'The newest 500', 2000: 'The newest 2,000', 10000: 'The newest 10,000' },
  runsKeptWhy: 'Older runs are loaded from the server when opened. Unsent work always stays here.',
  runsKeptNotStored: 'The browser does not store this.',
  reopen: 'Open Gemba again to apply it',
  devtools: 'What this device is doing',
  devtoolsSetting: 'Show what this device is doing',
  devtoolsWhy:
    'For people who help you with Gemba: unsent changes, rounds of the sync and the storage, and a file for support.',
  devtoolsNotLoaded: 'This could not be loaded. Try again with a network.',
  backup: 'Backup on this device',
  backups: {
    kept: 'Up to date: unsent work is stored twice on this device.',
    behind: 'Behind for now. The next change updates it.',
    none: 'This browser has no place for a backup.',
  } satisfies Record<Status['second_copy'], string>,
};

export const sampleRecordingTexts = {
  offer: 'Try it: make coffee, 3 steps',
  why: 'Makes a small map and starts its recording. You can delete the map like any other.',
  name: 'Make coffee',
  stages: [
    { stage: 'Boil water', work_type: 'incidental' },
    { stage: 'Grind beans', work_type: 'incidental' },
    { stage: 'Brew', work_type: 'valuable' },
  ] satisfies { stage: string; work_type: WorkType }[],
};

export const untrustedCertificateTexts = {
  title: "This phone doesn't trust the server yet",
  text: 'Gemba works while the server is in reach, but it cannot open without a connection. Install the certificate of the server once.',
  install: 'How to install it',
};

export const reportTexts = {
  title: 'What this device reports',
  why: 'The server gets this with each sync, and admins of the account see it. It has no place, no address and no times of a person.',
  battery: 'Battery',
  storage: 'Free storage',
  platform: 'Runs on',
  version: 'Version',
  percent: (share: number) => `${numberText(Math.round(share * 100))} %`,
  minutes: (minutes: number) => `${numberText(minutes)} min`,
  health: {
    stuck: 'Sync is stuck',
    silent: 'Not seen for long',
    stale: 'Has unsent work',
    outdated: 'Needs an update',
    ok: 'OK',
  } satisfies Record<DeviceHealth, string>,
  unsent: (changes: number) => `${numberText(changes)} unsent`,
  refused: (changes: number) => `${numberText(changes)} refused`,
  asOf: (ago: string) => `as of ${ago}`,
  reported: (ago: string) => `It reported this ${ago}.`,
  nothing: 'It has reported nothing yet.',
  pending: 'Unsent changes',
  backup: 'Backup',
  backups: { kept: 'Up to date', behind: 'Behind', none: 'None' } satisfies Record<Status['second_copy'], string>,
};
