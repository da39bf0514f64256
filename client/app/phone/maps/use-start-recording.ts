import { useState } from 'preact/hooks';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';

/**
 * Returns `record`, which starts a recording of the map and shows the recorder. If a recording is under way, `record`
 * only shows the recorder.
 */
export function useStartRecording(mapId: string) {
  const gemba = useGemba();
  const recording = useValue(gemba.recording$);
  const [isStarting, setStarting] = useState(false);
  const record = async (): Promise<void> => {
    if (recording) return navigate('/record');
    setStarting(true);
    try {
      if (await succeededOrToast(gemba.startRecording({ mapId }))) navigate('/record');
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, record };
}
