/** Draws the times of a map or a run to scale: work times above a line, wait times below it. */
import type { ComponentChildren } from 'preact';
import {
  outlinedPartsMax,
  placeSegments,
  type FullMap,
  type Stage,
  type Segment,
  type WorkAndWaitTimes,
} from '../../../client.ts';
import { workTypes } from '../../ui/work-type.tsx';
import { Ladder } from './ladder.tsx';
import { workTypePatternUrl, WorkTypePatterns } from '../work-type-patterns.tsx';
import { percentText } from '../../text/format.ts';
import { hoursText } from '../../text/phone-times.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { spokenTimes } from '../../text/spoken-times.ts';
import { texts } from '../../text/texts.ts';
import { formTexts } from '../../text/phone-on-demand.ts';
import { valueStreamTexts } from '../../text/phone-maps.ts';

export const workAndWaitText = ({ cycle_time_hrs, wait_time_hrs }: WorkAndWaitTimes): string =>
  wait_time_hrs === 0
    ? hoursText(cycle_time_hrs)
    : `${hoursText(cycle_time_hrs)}, ${valueStreamTexts.waits(hoursText(wait_time_hrs))}`;

export function ValueStream({ map }: { map: Pick<FullMap, 'id' | 'stages' | 'analytics'> }) {
  const { stages, analytics } = map;
  return (
    <>
      <TimesCard label={valueStreamTexts.title} parts={stages}>
        <Figure label={valueStreamTexts.lead}>{hoursText(analytics.lead_time_hrs)}</Figure>
        <PceFigure pce={analytics.pce} />
        <Figure label={valueStreamTexts.cycle}>{hoursText(analytics.total_cycle_time_hrs)}</Figure>
        <Figure label={valueStreamTexts.valueAdd}>{hoursText(analytics.value_add_time_hrs)}</Figure>
      </TimesCard>
      <Ladder map={map} />
    </>
  );
}

interface TimesCardProps {
  label: string;
  parts: (WorkAndWaitTimes & Pick<Stage, 'id' | 'stage' | 'work_type'>)[];
  children: ComponentChildren;
}

export function TimesCard({ label, parts, children }: TimesCardProps) {
  const total = sumTimes(parts);
  const lead = total.cycle_time_hrs + total.wait_time_hrs;
  return (
    <section class="card stack" aria-label={label}>
      <dl class="figures">{children}</dl>
      {lead > 0 && parts.every(({ work_type }) => work_type === 'incidental') && (
        <p class="soft small">{valueStreamTexts.unjudged}</p>
      )}
      {lead > 0 && <TimesBar label={label} parts={parts} scaleHrs={lead} hasPatterns />}
      <ul class="flow-key" role="list">
        {workTypes.map((type) => {
          const ofType = parts.filter(({ work_type }) => work_type === type);
          return (
            ofType.length > 0 && (
              <LegendItem key={type} fill={workTypePatternUrl(type)} label={texts.workTypes[type]}>
                {hoursText(sumTimes(ofType).cycle_time_hrs)}
              </LegendItem>
            )
          );
        })}
        {total.wait_time_hrs > 0 && (
          <LegendItem label={valueStreamTexts.wait}>{hoursText(total.wait_time_hrs)}</LegendItem>
        )}
      </ul>
    </section>
  );
}

interface TimesBarProps extends Pick<TimesCardProps, 'label' | 'parts'> {
  /** The hours that the whole width stands for. */
  scaleHrs: number;
  /** True for the first bar of a page, which defines the fill patterns for all bars. */
  hasPatterns: boolean;
}

/**
 * The height of the work times, in CSS pixels. `withWaits` is lower than `alone`, since a ladder below a value stream
 * with waits shows the stages again.
 */
const workHeight = { withWaits: 28, alone: 44 };
const waitHeight = 14;

export function TimesBar({ label, parts, scaleHrs, hasPatterns }: TimesBarProps) {
  const { cycle_time_hrs, wait_time_hrs } = sumTimes(parts);
  const lineY = wait_time_hrs > 0 ? workHeight.withWaits : workHeight.alone;
  return (
    <svg
      class={parts.length > outlinedPartsMax ? 'flow flow-dense' : 'flow'}
      height={wait_time_hrs > 0 ? lineY + waitHeight : lineY + 1}
      role="img"
      aria-label={spokenTimes(valueStreamTexts.picture(label, hoursText(cycle_time_hrs), hoursText(wait_time_hrs)))}
    >
      {hasPatterns && <WorkTypePatterns />}
      {segmentElements(parts, { scaleHrs, lineY })}
      <path class="flow-line" d={`M0 ${lineY}h9999`} />
    </svg>
  );
}

const sumTimes = (parts: WorkAndWaitTimes[]): WorkAndWaitTimes => ({
  cycle_time_hrs: parts.reduce((hrs, part) => hrs + part.cycle_time_hrs, 0),
  wait_time_hrs: parts.reduce((hrs, part) => hrs + part.wait_time_hrs, 0),
});

export function Figure({ label, long, children }: { label: string; long?: string; children: string }) {
  return (
    <div>
      <dt>{long ? <abbr title={long}>{label}</abbr> : label}</dt>
      <dd>
        <TimeText>{children}</TimeText>
      </dd>
    </div>
  );
}

export const PceFigure = ({ pce }: { pce: number | null }) => (
  <Figure label={valueStreamTexts.pce} long={valueStreamTexts.pceLong}>
    {pce === null ? formTexts.none : percentText(pce)}
  </Figure>
);

export function LegendItem({ fill, label, children }: { fill?: string; label: string; children?: string }) {
  return (
    <li>
      <svg width="20" height="20" aria-hidden="true" focusable="false">
        <rect class={fill ? undefined : 'flow-wait'} fill={fill} x="1" y="1" width="18" height="18" rx="4" />
      </svg>
      <span>{label}</span> <span class="soft">{children && <TimeText>{children}</TimeText>}</span>
    </li>
  );
}

function segmentElements(parts: TimesCardProps['parts'], { scaleHrs, lineY }: { scaleHrs: number; lineY: number }) {
  return placeSegments(parts, scaleHrs).map(({ part, wait, work }) => (
    <g key={part.id} data-figures={`${part.stage}\n${workAndWaitText(part)}\n${texts.workTypes[part.work_type]}`}>
      {wait && <rect class="flow-wait" y={lineY} height={waitHeight} {...xAndWidthOf(wait)} />}
      {work && (
        <rect class="flow-work" y="0" height={lineY} fill={workTypePatternUrl(part.work_type)} {...xAndWidthOf(work)} />
      )}
    </g>
  ));
}

const xAndWidthOf = ({ start, length }: Segment) => ({ x: `${start * 100}%`, width: `${length * 100}%` });
