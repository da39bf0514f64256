/** All that the app says, and how it writes times and numbers. A translation is another object of this shape. */
import type { RecordedStep } from '../../client.ts';

export type WorkType = RecordedStep['work_type'];

export const texts = {
  app: 'Gemba',
  opening: 'Opening what is on this device…',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  skip: 'To the content',
  sections: 'Sections',

  failed: {
    title: 'Something went wrong',
    text: 'Nothing that was recorded is lost: every tap was on the device before it was shown. Open the app again to go on.',
    again: 'Open again',
  },
  noStorage: {
    title: "This browser can't store data",
    text: 'Gemba needs to store what you record on this device. Leave private browsing, or allow this site to store data.',
  },
  notOpened: {
    title: 'Gemba did not open',
    text: (reason: string) =>
      `What is stored on this device could not be read. Close the other tabs of Gemba, then open it again. The browser says: ${reason}`,
    again: 'Open again',
  },
  notFound: { title: 'Page not found', text: 'Gemba has no page at this address.', home: 'To the maps' },

  workTypes: {
    valuable: 'Valuable',
    incidental: 'Incidental',
    waste: 'Waste',
  } satisfies Record<WorkType, string>,

  status: {
    label: 'Sync',
    safe: 'All safe on the server',
    pending: (count: number) => `${number(count)} on this device`,
    sending: (count: number) => `Sending ${number(count)}`,
    offline: 'Offline',
    offlinePending: (count: number) => `Offline · ${number(count)} on this device`,
    waiting: 'Server is busy, trying again',
    blocked: 'Sync stopped',
    attention: (count: number) => (count === 1 ? '1 needs you' : `${number(count)} need you`),
    unpaired: 'Not paired any more',
    storage: 'Storage trouble',
    opening: 'Opening',
  },

  update: {
    ready: 'A new version is ready.',
    now: 'Update now',
    later: 'It comes by itself once the recording is finished.',
  },

  pair: {
    title: { phone: 'Pair this phone', wearable: 'Pair this watch' },
    text: {
      phone: 'The code is in the terminal where the server was started, or on a paired phone, under Sync and Devices.',
      wearable: 'The code is on a paired phone, under Sync and Devices.',
    },
    kept: 'All that is on it stays, and goes on from there.',
    again: 'Pair again',
    notNow: 'Not now',
    code: 'Pairing code',
    codeHint: 'Eight letters and digits. Upper or lower case, with or without the hyphen.',
    name: 'Name of this device',
    nameHint: 'So that you know it among the others.',
    submit: 'Pair',
    asking: 'Asking…',
    join: {
      title: (account: string) => `Join ${account}?`,
      text: {
        phone: 'What this phone records goes to this account. Join only an account that you know.',
        wearable: 'What this watch records goes to this account.',
      },
      submit: 'Join',
      joining: 'Joining…',
    },
    done: 'Paired',
    problems: {
      empty: 'Type the code first.',
      unnamed: 'Give this device a name.',
      broken: 'This link is broken. Scan it again, or type the code.',
      unreachable: 'The server cannot be reached. This needs the network: find one, and try again.',
      unauthorized: 'This device is not paired any more. Pair it again first.',
      pairing_code_invalid: 'This code is wrong, used already or older than ten minutes. Ask for a new one.',
      seat_limit_reached:
        'All phones that the account has seats for are paired. Revoke one that is no longer used, or add a seat.',
      forbidden: 'This device may not do that. Use a paired phone.',
      key_limit_reached: 'The account has as many keys as it may have. Revoke one that is no longer used.',
      pairing_code_limit_reached:
        'There are many codes that nobody used. Use one of them, or try again in ten minutes.',
      last_admin_key: 'This is the last key that may manage devices and keys. Make another one first.',
      account_mismatch:
        'This device holds the work of another account, and keeps it. Pair it with a code of that account. This code was not used.',
      unavailable: 'The server cannot answer now. Try again in a moment.',
      rate_limited: (wait: string) => `There were too many tries. Wait ${wait}, then try again.`,
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
    name: 'Name of the process',
    nameHint: 'For example: Press line, or Order to delivery.',
    create: 'Create',
    emptyTitle: 'No map yet',
    emptyText: 'A map is one process, as a row of stages. Create one, then record it where the work is done.',
    figures: (stages: number, runs: number) => `${count(stages, 'stage', 'stages')} · ${count(runs, 'run', 'runs')}`,
    pending: 'On this device only, so far',
    created: (name: string) => `${name} created`,
  },

  map: {
    stages: 'Stages',
    noStages: 'No stages yet. The first recording makes them.',
    record: 'Record',
    gone: 'This map is not there any more.',
  },

  record: {
    title: 'Record',
    newMap: 'New process',
    start: 'Start',
    onMap: (name: string) => `Recording ${name}`,
    first: 'Tap as the first step begins',
    step: (position: number) => `Step ${number(position)}`,
    next: 'Next step',
    begin: 'First step',
    undo: 'Undo',
    finish: 'Finish',
    discard: 'Give up',
    discarded: 'Recording given up',
    finished: 'Recorded. It goes to the server by itself.',
    nothing: 'Nothing is being recorded',
    choose: 'Choose a map to record, or begin a new process.',
    safe: 'Safe on the server',
  },
};

export type Texts = typeof texts;

const locales = knownLocales(typeof navigator === 'undefined' ? [] : navigator.languages);
const numberFormat = new Intl.NumberFormat(locales, { maximumFractionDigits: 1 });
const percentFormat = new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: 0 });
const timeFormat = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' });
const agoFormat = new Intl.RelativeTimeFormat(locales, { numeric: 'auto' });
const plural = new Intl.PluralRules('en');

/** Some systems name locales that Intl throws at, such as en-US@posix. */
export function knownLocales(names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      return Intl.getCanonicalLocales(name).length > 0;
    } catch {
      return false;
    }
  });
}

export const number = (value: number): string => numberFormat.format(value);

/** A fraction, such as a PCE. */
export const percent = (fraction: number): string => percentFormat.format(fraction);

export const moment = (iso: string): string => timeFormat.format(new Date(iso));

export const count = (value: number, one: string, other: string): string =>
  `${number(value)} ${plural.select(value) === 'one' ? one : other}`;

/** A clock: 0:07, 12:40, 1:02:33. */
export function clock(secs: number): string {
  const whole = Math.max(0, Math.floor(secs));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

function unitsIn(unitDisplay: 'short' | 'narrow') {
  const unit = (name: 'second' | 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(locales, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 });
  return { second: unit('second'), minute: unit('minute'), hour: unit('hour'), day: unit('day') };
}
const [short, narrow] = [unitsIn('short'), unitsIn('narrow')];

/** A length of time in the unit that fits it: 42 sec, 3.5 min, 2 hr, 1.5 days. */
export function duration(secs: number, units = short): string {
  if (secs < 60) return units.second.format(secs);
  if (secs < 3_600) return units.minute.format(secs / 60);
  return secs < 86_400 ? units.hour.format(secs / 3_600) : units.day.format(secs / 86_400);
}

/** The same where there is little room: 42s, 3.5m, 2h, 1.5d. */
export const narrowDuration = (secs: number): string => duration(secs, narrow);

/** How long ago: 5 minutes ago. */
export function ago(iso: string, nowMs: number): string {
  const secs = Math.min(0, Math.round((Date.parse(iso) - nowMs) / 1000));
  if (secs > -60) return agoFormat.format(secs, 'second');
  if (secs > -3_600) return agoFormat.format(Math.round(secs / 60), 'minute');
  return secs > -86_400
    ? agoFormat.format(Math.round(secs / 3_600), 'hour')
    : agoFormat.format(Math.round(secs / 86_400), 'day');
}
