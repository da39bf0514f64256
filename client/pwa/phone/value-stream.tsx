/** A map's times to scale: work stands on the line by its type, waiting lies under it. */
import type { FullMap } from '../../../shared/schema/map.ts';
import { patternOf, WorkTypePatterns, workTypes } from '../components/work-type.tsx';
import { duration, percent, texts } from '../texts.ts';
import { words } from './words.ts';

const secsPerHour = 3_600;
export const hours = (hrs: number): string => duration(hrs * secsPerHour);

export function ValueStream({ map: { stages, analytics } }: { map: Pick<FullMap, 'stages' | 'analytics'> }) {
  const { lead_time_hrs: lead, pce, value_add_time_hrs, by_work_type, total_wait_time_hrs: wait } = analytics;
  return (
    <section class="card stack" aria-label={words.flow.title}>
      <dl class="figures">
        <Figure label={words.flow.lead}>{hours(lead)}</Figure>
        <Figure label={words.flow.pce} long={words.flow.pceLong}>
          {pce === null ? words.none : percent(pce)}
        </Figure>
        <Figure label={words.flow.valueAdd}>{hours(value_add_time_hrs)}</Figure>
      </dl>
      {lead > 0 && (
        <svg
          class="flow"
          role="img"
          aria-label={words.flow.picture(hours(analytics.total_cycle_time_hrs), hours(wait))}
        >
          <WorkTypePatterns />
          {segmentsOf(stages, lead)}
          <path class="flow-line" d="M0 44h9999" />
        </svg>
      )}
      <ul class="flow-key" role="list">
        {workTypes
          .filter((type) => by_work_type[type].cycle_time_hrs > 0)
          .map((type) => (
            <Key
              key={type}
              fill={patternOf(type)}
              label={texts.workTypes[type]}
              hrs={by_work_type[type].cycle_time_hrs}
            />
          ))}
        {wait > 0 && <Key label={words.flow.wait} hrs={wait} />}
      </ul>
    </section>
  );
}

function Figure({ label, long, children }: { label: string; long?: string; children: string }) {
  return (
    <div>
      <dt>{long ? <abbr title={long}>{label}</abbr> : label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Key({ fill, label, hrs }: { fill?: string; label: string; hrs: number }) {
  return (
    <li>
      <svg width="20" height="20" aria-hidden="true" focusable="false">
        <rect class={fill ? undefined : 'flow-wait'} fill={fill} x="1" y="1" width="18" height="18" rx="4" />
      </svg>
      <span>{label}</span> <span class="soft">{hours(hrs)}</span>
    </li>
  );
}

/** Each stage waits first, and then works. */
function segmentsOf(stages: FullMap['stages'], lead: number) {
  let at = 0;
  const next = (hrs: number) => {
    const x = `${(at / lead) * 100}%`;
    at += hrs;
    return { x, width: `${(hrs / lead) * 100}%` };
  };
  return stages.map(({ id, cycle_time_hrs, wait_time_hrs, work_type }) => (
    <g key={id}>
      {wait_time_hrs > 0 && <rect class="flow-wait" y="44" height="16" {...next(wait_time_hrs)} />}
      {cycle_time_hrs > 0 && (
        <rect class="flow-work" y="0" height="44" fill={patternOf(work_type)} {...next(cycle_time_hrs)} />
      )}
    </g>
  ));
}
