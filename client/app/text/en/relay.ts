/** The texts of handing over on a watch, and of carrying on a phone. */
import { countText, numberText } from '../format.ts';

const runsText = (runs: number) => countText(runs, 'run', 'runs');

export const handOverTexts = {
  title: 'Hand over',
  preparing: 'Preparing…',
  /** Stands before the number of runs, for a screen reader. */
  codes: 'Codes of',
  count: (runs: number) => runsText(runs),
  tapWhenDone: 'Tap when done',
  left: (runs: number) => `${runsText(runs)} go next time.`,
  asking: 'Does the phone show a code?',
  enter: 'Enter the code',
  later: 'No code yet',
  cancel: 'Cancel',
  showAgain: 'Show the codes again',
  /** The label of the field that shows what was typed. */
  typed: 'Code from the phone',
  group: (keys: string) => keys,
  erase: 'Erase',
  arrived: 'Safe on the server',
  arrivedRuns: (runs: number) => `${runsText(runs)} arrived.`,
  attention: 'Arrived. Needs attention on a phone.',
  handed: 'Handed to a phone, not proven',
  handedWhy: 'It all stays here until a code proves it.',
  wrong: 'Wrong code',
  triesLeft: (tries: number) => countText(tries, 'try left', 'tries left'),
  noTries: 'No code is expected',
  noTriesWhy: 'It all stays here. Hand over again later.',
  nothing: 'Nothing to hand over',
  allSafe: 'All runs are safe on the server.',
  /** What is left on the watch while it has no codes to show. */
  notShown: {
    arrived: (runs: number) => `Arrived: ${runsText(runs)}.`,
    refused: (runs: number) => `Arrived, needs attention on a phone: ${runsText(runs)}.`,
    tooLarge: (runs: number) => `Too large for codes, waits for the network: ${runsText(runs)}.`,
    other: 'What is left waits for the network.',
  },
  needsNetwork: 'This watch needs its network once before it can hand over.',
  again: 'Try again',
};

export const carryTexts = {
  title: 'Carry for others',
  why: 'A watch without a network can show its runs as codes. Point the camera at it: this phone takes them along and sends them. They are sealed, so nobody can read them on this phone.',
  open: 'Open the camera',
  close: 'Close the camera',
  view: 'Picture of the camera',
  aim: 'Hold the phone in front of the watch, about a hand away.',
  progress: (have: number, total: number) => `${numberText(have)} of ${numberText(total)} codes`,
  taken: 'All codes taken',
  takenWhy: 'The watch can stop showing them.',
  full: 'This phone has no room for more. Let it send what it has.',
  denied: "Gemba may not use the camera. Allow it in the browser's settings of this site.",
  noCamera: 'No camera was found.',
  receipts: 'Codes for the watches',
  watch: (name: string) => `Hand-over ${name}`,
  typeThis: 'Type this on the watch:',
  sent: 'Sent.',
  waiting: 'Waits for the network',
  taken_at: (ago: string) => `Taken ${ago}`,
  carried: 'On this phone for others',
  nothing: 'Nothing at the moment.',
  amount: 'How much',
  messages: (messages: number, size: string) => `${countText(messages, 'hand-over', 'hand-overs')}, ${size}`,
  oldest: 'The oldest',
  limits: 'It keeps at most 64 hand-overs and 16 MB, for 14 days. They are sent after your own work.',
  setting: 'Carry for others',
  settingOn: 'Take hand-overs of others',
  settingWhy: 'When this is off, the phone takes nothing more, and still sends what it has.',
  off: 'Carrying is switched off on this phone.',
};
