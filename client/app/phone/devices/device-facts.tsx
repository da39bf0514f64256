import type { DeviceStatus } from '../../../client.ts';
import { numberText } from '../../text/format.ts';
import { agoText } from '../../text/phone-times.ts';
import { reportTexts, syncTexts } from '../../text/phone-on-demand.ts';

interface DeviceFactsProps {
  /** Null if the device has not reported yet; undefined if an older server stores no reports. */
  status: DeviceStatus | null | undefined;
}

/** Shows the last report of a device about itself. */
export function DeviceFacts({ status }: DeviceFactsProps) {
  if (status === undefined) return null;
  if (status === null) return <p class="soft">{reportTexts.nothing}</p>;
  const now = Date.now();
  const { reported_at, pending, oldest_unsent_at, attention, battery, storage_free } = status;
  const { second_copy, platform, app_version } = status;
  const facts: [label: string, value: string | null][] = [
    [reportTexts.pending, numberText(pending)],
    [syncTexts.oldest, oldest_unsent_at && agoText(oldest_unsent_at, now)],
    [syncTexts.attention, numberText(attention)],
    [reportTexts.battery, battery === null ? null : reportTexts.percent(battery)],
    [reportTexts.storage, storage_free === null ? null : reportTexts.percent(storage_free)],
    [reportTexts.backup, second_copy && reportTexts.backups[second_copy]],
    [reportTexts.platform, platform],
    [reportTexts.version, app_version],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([label, value]) =>
            value !== null && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p class="soft small">{reportTexts.reported(agoText(reported_at, now))}</p>
    </>
  );
}
