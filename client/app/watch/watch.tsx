/** The watch: one thing at a time, and where the work is always in sight. */
import './watch.css';
import './recording.css';
import './lists.css';
import './ask.css';
import './ended.css';
import { useState } from 'preact/hooks';
import { useGemba, useValue } from '../shell/engine.tsx';
import { EndedScreen, type Ended } from './ended.tsx';
import { WatchFace } from './face.tsx';
import { Start } from './start.tsx';
import { UnderWay } from './under-way.tsx';

export function Watch() {
  const recording = useValue(useGemba().recording$);
  const [ended, setEnded] = useState<Ended>();
  if (recording === undefined) return <WatchFace class="watch-list">{null}</WatchFace>;
  if (recording) return <UnderWay recording={recording} onEnded={setEnded} />;
  if (ended) return <EndedScreen ended={ended} onDone={() => setEnded(undefined)} />;
  return <Start />;
}
