import { useGemba, useValue } from '../../shell/engine.tsx';
import { numberText } from '../../text/format.ts';
import { reportTexts, syncTexts } from '../../text/phone-on-demand.ts';

/** Shows the report of this device to the server. An admin sees the report in the list of devices. */
export function ReportedFacts() {
  const report = useValue(useGemba().report$);
  if (!report) return null;
  const { pending, oldest_secs, attention, battery, storage_free, second_copy, platform, app_version } = report;
  const facts: [label: string, value: string | undefined][] = [
    [syncTexts.pending, numberText(pending)],
    [syncTexts.oldest, oldest_secs === undefined ? undefined : reportTexts.minutes(Math.floor(oldest_secs / 60))],
    [syncTexts.attention, numberText(attention)],
    [reportTexts.battery, battery === undefined ? undefined : reportTexts.percent(battery)],
    [reportTexts.storage, storage_free === undefined ? undefined : reportTexts.percent(storage_free)],
    [syncTexts.backup, syncTexts.backups[second_copy]],
    [reportTexts.platform, platform],
    [reportTexts.version, app_version],
  ];
  return (
    <details class="card study-details">
      <summary>{reportTexts.title}</summary>
      <p class="soft small">{reportTexts.why}</p>
      <dl class="facts">
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  );
}
