/** The watch shows one screen at a time. */
import './watch.css';
import './recording.css';
import './lists.css';
import './text-question.css';
import './ended.css';
import { useState } from 'preact/hooks';
import { useGemba, useValue } from '../shell/engine.tsx';
import { EndedScreen, type Ended } from './ended.tsx';
import { WatchFace } from './face.tsx';
import { RecordingScreen } from './recording-screen.tsx';
import { StartScreen } from './start-screen.tsx';

export function Watch() {
  const recording = useValue(useGemba().recording$);
  const [ended, setEnded] = useState<Ended>();
  if (recording === undefined) return <WatchFace class="watch-list">{null}</WatchFace>;
  if (recording) return <RecordingScreen recording={recording} onEnded={setEnded} />;
  if (ended) return <EndedScreen ended={ended} onDone={() => setEnded(undefined)} />;
  return <StartScreen />;
}
