/** The setting of this phone: whether it carries for other devices. */
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';

const carryingOffKey = 'gemba-carries-nothing';

/**
 * Returns false if a person switched carrying off. The phone then takes no more work, but still sends the work it has.
 */
export const isCarryingOn = (): boolean => readPageStorage('localStorage', carryingOffKey) !== '1';

/** Returns true if the browser stored the choice. */
export const setCarryingOn = (isOn: boolean): boolean =>
  writePageStorage('localStorage', carryingOffKey, isOn ? '0' : '1');
