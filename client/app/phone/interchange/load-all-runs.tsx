/** Says how many runs are only on the server, and lets a person load all of them into the exported file. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { exportTexts } from '../../text/interchange/phone-interchange.ts';
import { useServerRequest } from '../devices/server-request.tsx';
import { useServerOnlyRunCount } from '../on-server/use-server-only-run-count.ts';

/** `loadAll` loads at most this many times. One load brings about 100 runs. */
const loadsPerTapMax = 5_000;

export function LoadAllRuns({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const count = useServerOnlyRunCount(mapId);
  const isOffline = useValue(gemba.status$)?.phase === 'offline';
  const { busy, failure, run } = useServerRequest();
  const [isEnd, setEnd] = useState(false);
  const isStopped = useRef(false);
  useEffect(() => () => void (isStopped.current = true), []);
  const loadAll = async () => {
    isStopped.current = false;
    for (let loads = 0; loads < loadsPerTapMax && !isStopped.current; loads++) {
      if ((await gemba.loadRuns(mapId)).loaded === 0) return setEnd(true);
    }
  };
  if (count === 0) return null;
  const text = isOffline ? exportTexts.offline : (failure ?? (isEnd && !busy ? exportTexts.notLoaded : undefined));
  return (
    <div class="card export-notice stack">
      <p role="status">{exportTexts.onServer(count)}</p>
      {text && <p class="small">{text}</p>}
      {!isOffline && !busy && <Button onClick={() => void run(loadAll(), () => {})}>{exportTexts.load(count)}</Button>}
      {busy && <Button onClick={() => (isStopped.current = true)}>{exportTexts.stop}</Button>}
    </div>
  );
}
