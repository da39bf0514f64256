/** Times to scale: work stands on the line by its type, waiting lies under it. A map is shown so, and a run. */
import type { ComponentChildren } from 'preact';
import type { FullMap } from '../../../../shared/schema/map.ts';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { patternOf, WorkTypePatterns, workTypes } from '../../ui/work-type.tsx';
import { duration, percent } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { phoneTexts } from '../../text/phone.ts';

export const secsPerHour = 3_600;
export const hours = (hrs: number): string => duration(hrs * secsPerHour);

type Times = Pick<Stage, 'cycle_time_hrs' | 'wait_time_hrs'>;

export const timesOf = ({ cycle_time_hrs, wait_time_hrs }: Times): string =>
  wait_time_hrs === 0 ? hours(cycle_time_hrs) : `${hours(cycle_time_hrs)}, ${phoneTexts.stage.waits(hours(wait_time_hrs))}`;

export function ValueStream({ map: { stages, analytics } }: { map: Pick<FullMap, 'stages' | 'analytics'> }) {
  return (
    <Flow label={phoneTexts.flow.title} parts={stages}>
      <Figure label={phoneTexts.flow.lead}>{hours(analytics.lead_time_hrs)}</Figure>
      <Pce of={analytics.pce} />
      <Figure label={phoneTexts.flow.cycle}>{hours(analytics.total_cycle_time_hrs)}</Figure>
      <Figure label={phoneTexts.flow.valueAdd}>{hours(analytics.value_add_time_hrs)}</Figure>
    </Flow>
  );
}

interface FlowProps {
  label: string;
  parts: (Times & Pick<Stage, 'id' | 'work_type'>)[];
  /** Its figures. */
  children: ComponentChildren;
}

export function Flow({ label, parts, children }: FlowProps) {
  const all = summed(parts);
  const lead = all.cycle_time_hrs + all.wait_time_hrs;
  return (
    <section class="card stack" aria-label={label}>
      <dl class="figures">{children}</dl>
      {lead > 0 && (
        <svg
          class="flow"
          height={all.wait_time_hrs > 0 ? 60 : 45}
          role="img"
          aria-label={phoneTexts.flow.picture(label, hours(all.cycle_time_hrs), hours(all.wait_time_hrs))}
        >
          <WorkTypePatterns />
          {segmentsOf(parts, lead)}
          <path class="flow-line" d="M0 44h9999" />
        </svg>
      )}
      <ul class="flow-key" role="list">
        {workTypes.map((type) => {
          const ofType = parts.filter(({ work_type }) => work_type === type);
          return (
            ofType.length > 0 && (
              <Key key={type} fill={patternOf(type)} label={texts.workTypes[type]}>
                {hours(summed(ofType).cycle_time_hrs)}
              </Key>
            )
          );
        })}
        {all.wait_time_hrs > 0 && <Key label={phoneTexts.flow.wait}>{hours(all.wait_time_hrs)}</Key>}
      </ul>
    </section>
  );
}

const summed = (parts: Times[]): Times => ({
  cycle_time_hrs: parts.reduce((hrs, part) => hrs + part.cycle_time_hrs, 0),
  wait_time_hrs: parts.reduce((hrs, part) => hrs + part.wait_time_hrs, 0),
});

export function Figure({ label, long, children }: { label: string; long?: string; children: string }) {
  return (
    <div>
      <dt>{long ? <abbr title={long}>{label}</abbr> : label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export const Pce = ({ of }: { of: number | null }) => (
  <Figure label={phoneTexts.flow.pce} long={phoneTexts.flow.pceLong}>
    {of === null ? phoneTexts.none : percent(of)}
  </Figure>
);

export function Key({ fill, label, children }: { fill?: string; label: string; children?: string }) {
  return (
    <li>
      <svg width="20" height="20" aria-hidden="true" focusable="false">
        <rect class={fill ? undefined : 'flow-wait'} fill={fill} x="1" y="1" width="18" height="18" rx="4" />
      </svg>
      <span>{label}</span> <span class="soft">{children}</span>
    </li>
  );
}

/** Each part waits first, and then works. */
function segmentsOf(parts: FlowProps['parts'], lead: number) {
  let at = 0;
  const next = (hrs: number) => {
    const x = `${(at / lead) * 100}%`;
    at += hrs;
    return { x, width: `${(hrs / lead) * 100}%` };
  };
  return parts.map(({ id, cycle_time_hrs, wait_time_hrs, work_type }) => (
    <g key={id}>
      {wait_time_hrs > 0 && <rect class="flow-wait" y="44" height="16" {...next(wait_time_hrs)} />}
      {cycle_time_hrs > 0 && (
        <rect class="flow-work" y="0" height="44" fill={patternOf(work_type)} {...next(cycle_time_hrs)} />
      )}
    </g>
  ));
}
