import { ScreenFrame } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { useOnDemandModule } from '../use-on-demand.tsx';
import { Recorder } from './recorder.tsx';

export function RecordScreen() {
  const recording = useValue(useGemba().recording$);
  const onDemand = useOnDemandModule();
  if (recording) return <Recorder recording={recording} />;
  // Shows an empty screen until the engine is open, since the database may hold a recording under way.
  return onDemand && recording === null ? <onDemand.NoRecording /> : <ScreenFrame />;
}
