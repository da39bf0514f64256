import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { texts } from '../../text/texts.ts';
import { useOnDemandModule } from '../use-on-demand.tsx';
import { Recorder } from './recorder.tsx';

export function RecordScreen() {
  const recording = useValue(useGemba().recording$);
  if (recording === undefined) return <Screen title={texts.record.title}>{null}</Screen>;
  return recording ? <Recorder recording={recording} /> : <NoRecording />;
}

function NoRecording() {
  const maps = useValue(useGemba().maps$);
  const onDemand = useOnDemandModule();
  return (
    <Screen title={texts.record.title}>
      <EmptyState title={texts.record.nothing} text={texts.record.choose}>
        <Link href="/" class="button button-primary">
          {texts.maps.title}
        </Link>
      </EmptyState>
      {onDemand && maps && <onDemand.RecordChoices maps={maps} />}
      {onDemand && <onDemand.DiscardedRecordings />}
    </Screen>
  );
}
