/** The setting of a phone: whether it carries for others. */
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

const notCarryingKey = 'gemba-carries-nothing';

/** False if the owner of this phone chose that it takes nothing more. What it has, it delivers all the same. */
export const isCarrying = (): boolean => readPageStorage('localStorage', notCarryingKey) !== '1';

/** Returns whether the choice was stored. */
export const chooseCarrying = (isOn: boolean): boolean =>
  writePageStorage('localStorage', notCarryingKey, isOn ? '0' : '1');
