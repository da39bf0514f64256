import './watch.css';
import './recording.css';
import './recording-tall.css';
import './lists.css';
import './text-question.css';
import './ended.css';
import { useState } from 'preact/hooks';
import { useGemba, useValue } from '../shell/engine.tsx';
import { EndedScreen, type EndedRecording } from './ended.tsx';
import { WatchFrame } from './frame.tsx';
import { RecordingScreen } from './recording-screen.tsx';
import { StartScreen } from './start/start-screen.tsx';

export function Watch() {
  const recording = useValue(useGemba().recording$);
  const [ended, setEnded] = useState<EndedRecording>();
  if (recording === undefined) return <WatchFrame class="watch-list">{null}</WatchFrame>;
  if (recording) return <RecordingScreen recording={recording} onEnded={setEnded} />;
  if (ended) return <EndedScreen ended={ended} onDone={() => setEnded(undefined)} />;
  return <StartScreen />;
}
