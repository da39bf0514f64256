/** The texts of handing over on a watch. */
import { countText } from '../format.ts';

const runsText = (runs: number) => countText(runs, 'run', 'runs');

export const handOverTexts = {
  title: 'Hand over',
  preparing: 'Preparing…',
  /** Stands before the number of runs, for a screen reader. */
  codes: 'Codes of',
  count: (runs: number) => runsText(runs),
  tapWhenDone: 'Tap when done',
  left: (runs: number) => `${runsText(runs)} go next time.`,
  asking: 'Code on the phone?',
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
  /** The reasons why work on the watch is in no code. */
  notShown: {
    arrived: (runs: number) => `Arrived: ${runsText(runs)}.`,
    refused: (runs: number) => `Arrived, needs attention on a phone: ${runsText(runs)}.`,
    tooLarge: (runs: number) => `Too large for codes, waits for the network: ${runsText(runs)}.`,
    other: 'What is left waits for the network.',
  },
  needsNetwork: 'This watch needs its network once before it can hand over.',
  again: 'Try again',
};
