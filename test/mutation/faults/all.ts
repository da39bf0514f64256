import { carrierFaults } from './carrier-faults.ts';
import { deviceFaults } from './device-faults.ts';
import { devicePhotoFaults } from './device-photo-faults.ts';
import { eventFaults } from './event-faults.ts';
import { webhookFaults } from './webhook-faults.ts';
import type { Fault } from './fault.ts';
import { photoFaults } from './photo-faults.ts';
import { pushFaults } from './push-faults.ts';
import { relayFaults } from './relay-faults.ts';
import { syncFaults } from './sync-faults.ts';

export const faults: readonly Fault[] = [
  ...pushFaults,
  ...deviceFaults,
  ...syncFaults,
  ...carrierFaults,
  ...relayFaults,
  ...eventFaults,
  ...webhookFaults,
  ...photoFaults,
  ...devicePhotoFaults,
];
