/** Folds a long list of names into groups by position. A person opens a group to find the name of the next step. */
import type { WorkType } from '../../../client.ts';
import { useLayoutEffect, useState } from 'preact/hooks';
import { groupIndexOf, splitIntoGroups } from '../../recorder/groups.ts';
import { texts } from '../../text/texts.ts';
import { watchTexts } from '../../text/watch.ts';
import { Button } from '../../ui/button.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { WatchFrame } from '../frame.tsx';
import { RoundButton } from '../round-button.tsx';
import { WatchName } from '../watch-name.tsx';

interface FindStepScreenProps {
  /** The stages of the map, then the recorded steps that are no stages of the map. */
  stages: readonly { stage: string; work_type: WorkType }[];
  /**
   * The index in `stages` of the step that the next tap starts. The button of the group with this index is highlighted.
   */
  nextIndex: number;
  stepCount: number;
  onStage(name: string, type: WorkType): void;
  onBack(): void;
}

export function FindStepScreen({ stages, nextIndex, stepCount, onStage, onBack }: FindStepScreenProps) {
  const [group, setGroup] = useState<number>();
  const groups = splitIntoGroups(stages.map((stage, index) => ({ ...stage, position: index + 1 })));
  // A new list opens at its top: all lists share one page, whose scroll position would stay.
  useLayoutEffect(() => scrollTo(0, 0), [group]);
  const members = group === undefined ? undefined : groups[group];
  return (
    <WatchFrame class="watch-list" stepCount={stepCount}>
      <h1>{watchTexts.other}</h1>
      <div class="watch-actions">
        <RoundButton icon="back" label={texts.back} onClick={() => (members ? setGroup(undefined) : onBack())} />
      </div>
      <ul class="watch-names" role="list">
        {members
          ? members.map(({ stage, work_type, position }) => (
              <li key={position}>
                <Button wide onClick={() => onStage(stage, work_type)}>
                  <WorkTypeMark type={work_type} />
                  <WatchName>{stage}</WatchName>
                </Button>
              </li>
            ))
          : groups.map((ofGroup, index) => (
              <li key={index}>
                <Button
                  wide
                  look={index === groupIndexOf(nextIndex) ? 'primary' : 'plain'}
                  onClick={() => setGroup(index)}
                >
                  {watchTexts.stageRange(ofGroup[0]?.position ?? 0, ofGroup.at(-1)?.position ?? 0)}
                </Button>
              </li>
            ))}
      </ul>
    </WatchFrame>
  );
}
