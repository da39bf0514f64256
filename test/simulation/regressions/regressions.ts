/**
 * The failures that the simulation found, each with its story and the history that showed it. A seed gives its history
 * only together with its setting, so parts of the setting that the story needs are fixed here.
 */
import type { SimulationSetting } from '../fleet/setting.ts';

export interface Regression {
  name: string;
  story: string;
  /** The seeds whose histories failed before the mend. */
  seeds: readonly number[];
  setting?: Partial<SimulationSetting>;
  /** Whether it was found before tabs, versions and packed forms came into the settings. */
  isEarlier?: boolean;
}

export const regressions: readonly Regression[] = [
  {
    name: 'a 413 to a pull withdraws the mutation that was pushed before it',
    story:
      'The answer to a push of one mutation is lost, and a proxy answers the pull behind it with 413. The device took that for a word on its last batch, withdrew the mutation and showed it as refused, though the server had it. In 16 of 60 seeds with these faults.',
    isEarlier: true,
    seeds: [1000, 1004, 1008, 1014, 1022, 1047],
    setting: { networkFaults: ['forged 413', 'unanswered', 'forged 403'], faultRate: 0.5 },
  },
  {
    name: 'a device with nothing to send asks a dead server again every second',
    story:
      'A round that had nothing to push forgot the failures before it, so that its wait stayed below a second while the server was away. Half of the rounds of seed 20 were such.',
    isEarlier: true,
    seeds: [20],
  },
];
