/** Stacks the stages of a run as segments of its bar. A segment shows its stage's number, and the name if it fits. */
import { durationText, numberText } from '../../text/format.ts';
import { compareRunsTexts } from '../../text/phone-runs.ts';
import { texts } from '../../text/texts.ts';
import { workTypePatternUrl } from '../work-type-patterns.tsx';
import { joinThinSegments, type RunBar } from './run-bars.ts';

/** A segment of at least this height, in CSS pixels, has room for its label. */
const labelledSegmentHeightMin = 15;
/** A segment below this height, in CSS pixels, is joined with its thin neighbours, since nobody could see it alone. */
const thinSegmentHeight = 2;
/** Thin neighbours are joined until they are about this high together, in CSS pixels. */
const joinedSegmentsHeight = 40;

interface BarSegmentsProps {
  bar: RunBar;
  stageNames: readonly string[];
  yOf(secs: number): number;
  secsPerPx: number;
}

export function BarSegments({
  bar: { number: nth, secs: totalSecs, segments },
  stageNames,
  yOf,
  secsPerPx,
}: BarSegmentsProps) {
  let start = 0;
  let isLight = false;
  const drawn = joinThinSegments(segments, {
    thinSecs: thinSegmentHeight * secsPerPx,
    joinedSecs: joinedSegmentsHeight * secsPerPx,
  });
  return (
    <>
      {drawn.map(({ stageIndex, lastStageIndex, type, secs }, position) => {
        const isJoined = lastStageIndex !== stageIndex;
        const bottom = yOf(start);
        start += secs;
        const top = yOf(start);
        // Two neighbours of one work type have two shades of its colour. In one shade they would look like one stage.
        isLight = drawn[position - 1]?.type === type && !isLight;
        const place = { x: '14%', width: '72%', y: top, height: bottom - top };
        const name = stageNames[stageIndex] ?? '';
        return (
          <g
            key={position}
            data-figures={compareRunsTexts.segment({
              nth,
              total: durationText(totalSecs),
              stage: isJoined
                ? compareRunsTexts.stagesTogether(stageIndex + 1, lastStageIndex + 1)
                : `${numberText(stageIndex + 1)}. ${name}`,
              time: durationText(secs),
              type: texts.workTypes[type],
            })}
          >
            <rect class="flow-work" fill={workTypePatternUrl(type)} {...place} />
            {isLight && <rect class="yamazumi-shade" {...place} />}
            {!isJoined && bottom - top >= labelledSegmentHeightMin && (
              <foreignObject {...place}>
                <p class="yamazumi-label">
                  <span>
                    <span class="yamazumi-number">{numberText(stageIndex + 1)}</span>
                    <span class="yamazumi-name"> {name}</span>
                  </span>
                </p>
              </foreignObject>
            )}
          </g>
        );
      })}
    </>
  );
}
