import { useState } from 'preact/hooks';
import type { Gemba } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { sampleRecordingTexts } from '../../text/phone-on-demand.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';

/** Lets a person try recording: the button creates a small sample map and starts a recording of it. */
export function SampleOffer() {
  const gemba = useGemba();
  const recording = useValue(gemba.recording$);
  const [isStarting, setStarting] = useState(false);
  if (recording !== null) return null;
  const start = async () => {
    setStarting(true);
    try {
      if (await succeededOrToast(startSampleRecording(gemba))) navigate('/record');
    } finally {
      setStarting(false);
    }
  };
  return (
    <>
      <Button disabled={isStarting} onClick={start}>
        {sampleRecordingTexts.offer}
      </Button>
      <p class="soft small">{sampleRecordingTexts.why}</p>
    </>
  );
}

async function startSampleRecording(gemba: Gemba): Promise<void> {
  const { map_id } = await gemba.createMap({ name: sampleRecordingTexts.name });
  for (const { stage, work_type } of sampleRecordingTexts.stages) await gemba.addStage(map_id, { stage, work_type });
  await gemba.startRecording({ mapId: map_id });
}
