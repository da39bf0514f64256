/**
 * Draws a value stream as a lead-time ladder. Each stage is a box on a line. The wait before a stage is a valley in the
 * line. All boxes have one width, so that minutes of work stay readable beside days of waiting. A long ladder renders
 * only the boxes in view and some beside them.
 */
import type { FullMap, Stage } from '../../../client.ts';
import { useId, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { numberText } from '../../text/format.ts';
import { hoursText } from '../../text/phone-times.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { spokenTimes } from '../../text/spoken-times.ts';
import { ladderTexts } from '../../text/phone-maps.ts';
import { texts } from '../../text/texts.ts';
import { StageTimes } from './stage-times.tsx';

/** The width of one stage: the wait, and after it the box. ladder.css has the same width. */
const boxWidthRem = 13;
/** A ladder with at least this many stages renders only the boxes in view. */
const longLadderMin = 60;
const overscanBoxes = 10;
/** The range of rendered boxes moves by this many boxes at a time, so that scrolling renders less often. */
const boxesPerMove = 5;

export function Ladder({ map: { id, stages } }: { map: Pick<FullMap, 'id' | 'stages'> }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isLong = stages.length >= longLadderMin;
  const [inView, setInView] = useState(0);
  const [shown, setShown] = useState<Stage>();
  const first = isLong ? Math.max(0, inView - overscanBoxes) : 0;
  const end = isLong ? Math.min(stages.length, inView + measureBoxesInViewMax() + overscanBoxes) : stages.length;
  const measure = () => {
    if (isLong && scroller.current) {
      const box = Math.abs(scroller.current.scrollLeft) / measureBoxWidthPx();
      setInView(Math.floor(box / boxesPerMove) * boxesPerMove);
    }
  };
  return (
    <>
      <div
        ref={scroller}
        class="ladder-scroll card"
        role="region"
        aria-label={ladderTexts.title}
        tabIndex={0}
        onScroll={measure}
      >
        <ol
          class={isLong ? 'ladder ladder-long' : 'ladder'}
          role="list"
          style={{
            paddingInlineStart: `${first * boxWidthRem}rem`,
            paddingInlineEnd: `${(stages.length - end) * boxWidthRem}rem`,
          }}
        >
          {stages.slice(first, end).map((stage) => (
            <li key={stage.id} aria-setsize={stages.length} aria-posinset={stage.order}>
              <LadderWait hrs={stage.wait_time_hrs} />
              <button type="button" class={`ladder-box ladder-${stage.work_type}`} onClick={() => setShown(stage)}>
                <span class="ladder-name">{stage.stage}</span>
                <span class="ladder-time">
                  <WorkTypeMark type={stage.work_type} />
                  <span class="visually-hidden">{texts.workTypes[stage.work_type]} </span>
                  <TimeText>{hoursText(stage.cycle_time_hrs)}</TimeText>
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {isLong && (
        <StageSlider
          stages={stages}
          onStage={(index) =>
            scroller.current?.scrollTo({ left: index * measureBoxWidthPx() * readingDirectionSign() })
          }
        />
      )}
      <Dialog open={shown !== undefined} title={shown?.stage ?? ''} onClose={() => setShown(undefined)}>
        {shown && <StageTimes mapId={id} stage={shown} />}
      </Dialog>
    </>
  );
}

interface StageSliderProps {
  stages: readonly Stage[];
  onStage(index: number): void;
}

/** A slider that scrolls a long ladder to the chosen stage. */
function StageSlider({ stages, onStage }: StageSliderProps) {
  const id = useId();
  const [position, setPosition] = useState(1);
  const stage = stages[position - 1];
  const name = stage && `${numberText(position)}. ${stage.stage}`;
  const goTo = (chosen: number) => {
    setPosition(chosen);
    onStage(chosen - 1);
  };
  return (
    <div class="ladder-slider">
      <label for={id}>
        {ladderTexts.goTo} <span class="soft">{name}</span>
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={stages.length}
        value={position}
        aria-valuetext={name}
        onInput={({ currentTarget }) => goTo(Number(currentTarget.value))}
      />
    </div>
  );
}

function LadderWait({ hrs }: { hrs: number }) {
  if (hrs === 0) return <span class="ladder-wait" />;
  const time = hoursText(hrs);
  return (
    <span class="ladder-wait ladder-valley">
      <span class="visually-hidden">{spokenTimes(ladderTexts.waits(time))}</span>
      <span aria-hidden="true">{time}</span>
    </span>
  );
}

const measureBoxWidthPx = (): number =>
  boxWidthRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const measureBoxesInViewMax = (): number => Math.ceil(innerWidth / measureBoxWidthPx()) + boxesPerMove;
/** The sign of the scroll position: −1 where text runs from right to left. */
const readingDirectionSign = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1);
