/** The texts that all faces show. English defines which texts there are: each other language has the same. */
import type { StagesMode } from '../../../../shared/schema/recording.ts';
import type { WorkType } from '../texts.ts';
import { countText, numberText } from '../format.ts';

export const texts = {
  app: 'Gemba',
  opening: 'Loading…',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  skip: 'Skip to content',
  sections: 'Sections',

  /** Says why something failed. The engine and the server write English sentences. */
  errorText: ({ message }: { code?: string; message: string }): string => message,

  failed: {
    title: 'Something went wrong',
    text: 'Your recordings are saved on this device. Open the app again to continue.',
    again: 'Open again',
  },
  noStorage: {
    title: "This browser can't store data",
    text: 'Gemba needs to store your recordings. Leave private browsing, or allow this site to store data.',
  },
  notOpened: {
    title: 'Gemba could not open',
    text: (reason: string) => `Close the other tabs of Gemba, then open it again. The browser says: ${reason}`,
    again: 'Open again',
  },
  notFound: { title: 'Page not found', text: 'Gemba has no page at this address.', home: 'Go to the maps' },

  workTypes: {
    valuable: 'Valuable',
    incidental: 'Incidental',
    waste: 'Waste',
  } satisfies Record<WorkType, string>,

  status: {
    label: 'Sync',
    safe: 'All safe on the server',
    pending: (changes: number) => `${numberText(changes)} on this device`,
    sending: (changes: number) => `Sending ${numberText(changes)}`,
    offline: 'Offline',
    offlinePending: (changes: number) => `Offline · ${numberText(changes)} on this device`,
    waiting: 'Server is busy, trying again',
    retrying: 'Trying again',
    blocked: 'Sync stopped',
    attention: (items: number) => `${countText(items, 'item needs', 'items need')} attention`,
    unpaired: 'No longer paired',
    storage: 'Storage problem',
    opening: 'Loading…',
  },

  update: { ready: 'A new version is ready.', now: 'Update now' },

  pair: {
    title: { phone: 'Pair this phone', wearable: 'Pair this watch', desk: 'Pair this computer' },
    text: {
      phone: 'The code is in the terminal of the server, or on a paired phone under Sync and Devices.',
      wearable: 'The code is on a paired phone under Sync and Devices.',
      desk: 'The code is in the terminal of the server, or on a paired phone or computer under Devices. A computer takes no seat of a phone.',
    },
    kept: 'All data on this phone is kept.',
    again: 'Pair again',
    notNow: 'Not now',
    code: 'Pairing code',
    codeHint: '8 letters and digits. The hyphen is optional.',
    name: 'Name of this device',
    nameHint: 'Helps you tell devices apart.',
    submit: 'Pair',
    asking: 'Checking…',
    join: {
      title: (account: string) => `Join ${account}?`,
      text: {
        phone: 'Recordings from this phone go to this account. Join only an account that you know.',
        wearable: 'Recordings from this watch go to this account.',
        desk: 'Changes and recordings from this computer go to this account. Join only an account that you know.',
      },
      submit: 'Join',
      joining: 'Joining…',
    },
    done: 'Paired',
    problems: {
      empty: 'Enter the code.',
      unnamed: 'Enter a name for this device.',
      broken: 'This link is broken. Scan it again, or enter the code.',
      unreachable: 'The server cannot be reached. Try again when connected.',
      unauthorized: 'This device is no longer paired. Pair it again first.',
      pairing_code_invalid: 'This code is wrong, already used or older than 10 minutes. Get a new code.',
      seat_limit_reached: 'The account has no free seat for a phone. Revoke a phone that is not used, or add a seat.',
      forbidden: 'This device is not allowed to do that. Use a paired phone.',
      key_limit_reached: 'The account cannot have more keys. Revoke a key that is not used.',
      pairing_code_limit_reached: 'Too many pairing codes are unused. Try again in 10 minutes.',
      last_admin_key: 'This is the last key that can manage devices and keys. Create another one first.',
      account_mismatch:
        'This device has unsent work of another account, and keeps it. Use a code of that account. This code was not used.',
      unavailable: 'The server cannot answer now. Try again in a moment.',
      rate_limited: (wait: string) => `Too many attempts. Wait ${wait}, then try again.`,
      other: (detail: string) => `The server refused: ${detail}`,
    },
    names: {
      phone: 'Phone',
      wearable: 'Watch',
      android: 'Android phone',
      iphone: 'iPhone',
      ipad: 'iPad',
      desktop: 'Computer',
    },
  },

  maps: {
    title: 'Maps',
    new: 'New map',
    name: 'Process name',
    nameHint: 'For example: Press line, or Order to delivery.',
    create: 'Create',
    emptyTitle: 'No maps yet',
    emptyText: 'A map shows one process as a row of stages. Create one, then record it where the work is done.',
    figures: (stages: number, runs: number) =>
      `${countText(stages, 'stage', 'stages')} · ${countText(runs, 'run', 'runs')}`,
    pending: 'Only on this device',
  },

  map: { stages: 'Stages', record: 'Record', gone: 'Map not found' },

  record: {
    title: 'Record',
    newMap: 'New process',
    firstStepHint: 'Tap when the first step starts',
    step: (position: number) => `Step ${numberText(position)}`,
    nextStep: 'Next step',
    firstStep: 'First step',
    nextNamed: (name: string) => `Next: ${name}`,
    undo: 'Undo',
    finish: 'Finish',
    discard: 'Discard recording',
    discarded: 'Recording discarded',
    finished: 'Recording finished. It uploads automatically.',
    more: 'Other step, note or discard',
    newName: 'New name',
    newNameAsk: 'Name of the next step',
    note: 'Note',
    noteAsk: (step: string) => `Note for ${step}`,
    resume: 'Resume',
    onPhone: (steps: number) => `${countText(steps, 'step', 'steps')} on this phone`,
    nothing: 'No recording in progress',
    choose: 'Choose a map to record.',
    safe: 'Safe on the server',
    /** Says how a finished recording changed the map's stages. */
    stages: {
      merge: 'The map gets the new times',
      keep: 'The map stays as it is',
      replace: 'These are its stages now',
    } satisfies Record<StagesMode, string>,
    ask: {
      partial: (stages: number, of: number) => `${numberText(stages)} of ${numberText(of)} stages recorded`,
      future: 'This map is a future state',
      modes: {
        keep: 'Only this run',
        merge: 'Update the map',
        replace: "Replace the map's stages",
      } satisfies Record<StagesMode, string>,
    },
  },
};
