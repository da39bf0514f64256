import { useState } from 'preact/hooks';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { phoneTexts } from '../../text/phone.ts';
import { showToast } from '../../ui/toast.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';

/**
 * Returns `record`, which starts a recording of the map and opens the recorder. If a recording is already under way,
 * `record` only opens the recorder.
 */
export function useStartRecording(mapId: string) {
  const gemba = useGemba();
  const recording = useValue(gemba.recording$);
  const [isStarting, setStarting] = useState(false);
  const record = async (): Promise<void> => {
    if (recording) {
      navigate('/record');
      if (recording.map_id !== mapId) showToast({ text: phoneTexts.recorder.endFirst });
      return;
    }
    setStarting(true);
    try {
      if (await succeededOrToast(gemba.startRecording({ mapId }))) navigate('/record');
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, record };
}
