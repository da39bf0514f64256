import type { FullMap } from '../../client.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useGemba, useValue } from '../shell/engine.tsx';
import { ScreenFrame } from '../ui/screen.tsx';
import type { MapDialogProps } from './maps/map-dialog.tsx';
import type { StageSectionProps } from './stages/stage-section.tsx';

export type OnDemandModule = typeof import('./on-demand.tsx');

/**
 * Loads on-demand.tsx once the engine is open. If `isWaitedFor` is true, a person waits for a component of
 * on-demand.tsx, so it loads at once. Returns undefined until the module is loaded.
 */
export function useOnDemandModule({ isWaitedFor = false } = {}): OnDemandModule | undefined {
  const isEngineOpen = useValue(useGemba().status$) !== undefined;
  const isWanted = isEngineOpen || isWaitedFor;
  const [loaded, setLoaded] = useState<OnDemandModule>();
  useEffect(() => {
    if (!isWanted) return;
    loadOnDemandModule().then(setLoaded, (error: unknown) =>
      // Throws during the next render, so that the error boundary catches the error.
      setLoaded(() => {
        throw error;
      }),
    );
  }, [isWanted]);
  return loaded;
}

export function OnDemandMissingMap(props: { mapId: string }) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.MissingMap {...props} /> : <ScreenFrame />;
}

export function OnDemandUntrustedNotice() {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.UntrustedNotice /> : null;
}

export function OnDemandLoadingProgress() {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.LoadingProgress /> : null;
}

export function OnDemandNoMapsFound(props: { isArchive: boolean }) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.NoMapsFound {...props} /> : null;
}

export function OnDemandNoMaps(props: { children: ComponentChildren }) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.NoMaps {...props} /> : null;
}

export function OnDemandMapDialog(props: MapDialogProps) {
  const onDemand = useOnDemandModule({ isWaitedFor: props.open });
  return onDemand ? <onDemand.MapDialog {...props} /> : null;
}

export function OnDemandMapMenu(props: { map: FullMap }) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.MapMenu {...props} /> : null;
}

export function OnDemandValueStream(props: { map: FullMap }) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.ValueStream {...props} /> : null;
}

async function loadOnDemandModule(): Promise<OnDemandModule> {
  const onDemand = await import('./on-demand.tsx');
  await onDemand.loadTextsOfScreens();
  return onDemand;
}

export function OnDemandStageSection(props: StageSectionProps) {
  const onDemand = useOnDemandModule();
  return onDemand ? <onDemand.StageSection {...props} /> : null;
}
