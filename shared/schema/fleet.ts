/** The status that a device reports about itself, and the health that the server derives from it. */
import { Type, type Static } from 'typebox';
import { Device } from './auth.ts';
import { Closed, Described, Instant, Nullable } from './fields.ts';
import { PageSchema } from './page.ts';

/** The values of a device's health, the worst first. Lists sorted by health have this order. */
export const deviceHealths = ['stuck', 'silent', 'stale', 'outdated', 'ok'] as const;
export const DeviceHealth = Type.Enum([...deviceHealths], {
  title: 'DeviceHealth',
  description:
    '`stuck`: it reported within the last hour that its oldest unsent work was 24 hours old or older. `silent`: not seen for 7 days. `stale`: it had unsent work, and was not seen for 8 hours. `outdated`: its app or protocol is older than the server. The server may have other times.',
  expected: deviceHealths.join(', '),
});
export type DeviceHealth = Static<typeof DeviceHealth>;

export const DevicePlatform = Type.Enum(['web', 'node', 'native'], { expected: 'web, node or native' });
export const JournalState = Type.Enum(['kept', 'behind', 'none'], { expected: 'kept, behind or none' });

const Count = Type.Integer({ minimum: 0 });
const Fraction = Type.Number({ minimum: 0, maximum: 1 });

export const DeviceStatus = Closed(
  {
    reported_at: Described(
      Instant,
      "When the device reported this, by the server's clock. All other fields are as of that time.",
    ),
    pending: Described(Count, 'How many changes the device had not sent yet.'),
    oldest_unsent_at: Described(Nullable(Instant), 'When the oldest unsent change was made; null if there was none.'),
    attention: Described(Count, 'How many refused changes on the device wait for a person to decide.'),
    battery: Described(
      Nullable(Fraction),
      'The charge of the battery, 0 to 1 in steps of 0.1; null if the device cannot read it.',
    ),
    storage_free: Described(
      Nullable(Fraction),
      'The free share of the storage, 0 to 1 in steps of 0.1; null if the device cannot read it.',
    ),
    second_copy: Described(
      Nullable(JournalState),
      'Whether its unsent work is stored twice; null where it did not say.',
    ),
    app_version: Described(Nullable(Type.String()), 'The version of its app; null where it did not say.'),
    platform: Described(Nullable(DevicePlatform), 'What it runs on; null where it did not say.'),
  },
  { title: 'DeviceStatus', description: 'The last report of a device about itself.' },
);
export type DeviceStatus = Static<typeof DeviceStatus>;

export const ListedDevice = Closed(
  {
    ...Device.properties,
    status: Described(
      Nullable(DeviceStatus),
      'The last report of the device; null if there was none, or from 30 days after the device was revoked.',
    ),
    health: Described(Nullable(DeviceHealth), 'The health of the device; null once it is revoked.'),
  },
  { title: 'ListedDevice', description: 'A device that was paired, with its status.' },
);
export type ListedDevice = Static<typeof ListedDevice>;

export const DevicePage = PageSchema(ListedDevice, {
  title: 'DevicePage',
  description: 'A page of devices.',
  data: 'The devices of this page.',
});
