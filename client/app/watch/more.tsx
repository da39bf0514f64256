/** What the next step may be called besides, a note on the one under way, and giving up. */
import { useState } from 'preact/hooks';
import type { Recording } from '../../client.ts';
import { Button } from '../ui/button.tsx';
import { WorkTypeMark } from '../ui/work-type.tsx';
import { texts, type WorkType } from '../text/texts.ts';
import { Ask } from './ask.tsx';
import { WatchFace } from './face.tsx';
import type { NextStep } from './next-step.ts';
import { RoundButton } from './round-button.tsx';
import { tap } from './tap.ts';
import { watchTexts } from '../text/watch.ts';

interface MoreProps {
  recording: Recording;
  names: NextStep[];
  onName(name: string, type?: WorkType): Promise<boolean>;
  onGiveUp(): void;
  onBack(): void;
}

export function More({ recording, names, onName, onGiveUp, onBack }: MoreProps) {
  const [asks, setAsks] = useState<'name' | 'note'>();
  const step = recording.steps.at(-1);
  const stepsHere = recording.steps.length;
  if (asks === 'name') {
    return (
      <Ask
        label={watchTexts.newNameAsk}
        lengthMax={200}
        stepsHere={stepsHere}
        onText={(name) => onName(name)}
        onCancel={() => setAsks(undefined)}
      />
    );
  }
  if (asks === 'note' && step) {
    const note = async (text: string) => {
      const taken = await tap(() => recording.note(text));
      if (taken) onBack();
      return taken;
    };
    return (
      <Ask
        label={watchTexts.noteAsk(step.stage_name)}
        lengthMax={1_000}
        stepsHere={stepsHere}
        onText={note}
        onCancel={() => setAsks(undefined)}
      />
    );
  }
  return (
    <WatchFace class="watch-list" stepsHere={stepsHere}>
      <h1>{watchTexts.other}</h1>
      <div class="watch-ways">
        <RoundButton icon="back" label={texts.back} onClick={onBack} />
        <RoundButton icon="plus" look="primary" label={watchTexts.newName} onClick={() => setAsks('name')} />
        <RoundButton icon="note" label={watchTexts.note} disabled={!step} onClick={() => setAsks('note')} />
      </div>
      <ul class="watch-names" role="list">
        {names.map(({ stage_name, work_type }) => (
          <li key={stage_name}>
            <Button wide onClick={() => onName(stage_name, work_type)}>
              <WorkTypeMark type={work_type} /> {stage_name}
            </Button>
          </li>
        ))}
        <li>
          <Button look="danger" wide onClick={onGiveUp}>
            {texts.record.discard}
          </Button>
        </li>
      </ul>
    </WatchFace>
  );
}
