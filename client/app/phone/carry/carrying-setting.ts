/** The setting of this phone: whether it carries for other devices. */
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

const notCarryingKey = 'gemba-carries-nothing';

/** Returns false if a person switched carrying off. The phone then takes nothing more, and still sends what it has. */
export const isCarrying = (): boolean => readPageStorage('localStorage', notCarryingKey) !== '1';

/** Returns true if the browser stored the choice. */
export const chooseCarrying = (isOn: boolean): boolean =>
  writePageStorage('localStorage', notCarryingKey, isOn ? '0' : '1');
