import { ScreenFrame } from '../../ui/screen.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { useOnDemandModule } from '../use-on-demand.tsx';
import { Recorder } from './recorder.tsx';

export function RecordScreen() {
  const recording = useValue(useGemba().recording$);
  const onDemand = useOnDemandModule();
  if (recording) return <Recorder recording={recording} />;
  // Shows an empty screen while the engine opens, since it may hold a recording.
  return onDemand && recording === null ? <onDemand.NoRecording /> : <ScreenFrame />;
}
