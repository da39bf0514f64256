import type { ComponentChildren } from 'preact';
import { EmptyState } from '../ui/empty-state.tsx';
import { Screen } from '../ui/screen.tsx';
import { MapScreen } from '../phone/maps/map.tsx';
import { MapsScreen } from '../phone/maps/maps.tsx';
import { RecordScreen } from '../phone/record/record-screen.tsx';
import type { useOnDemandModule } from '../phone/use-on-demand.tsx';
import { deskTexts } from '../text/desk.ts';
import { texts } from '../text/texts.ts';
import { MapOverview } from './map-overview.tsx';
import { MapLists } from './map-lists.tsx';
import { Pane } from './pane.tsx';
import type { DeskDetail, DeskPlace } from './place.ts';

interface PanesProps {
  place: DeskPlace;
  path: string;
  onDemand: ReturnType<typeof useOnDemandModule>;
  widening: { isWide: boolean; toggle(): void };
}

export function Panes({ place, path, onDemand, widening }: PanesProps) {
  if (place.is === 'page') {
    return (
      <Pane key="page" number={1} label={texts.app} isMain hasBack={place.hasBack}>
        {onDemand && (onDemand.screenAt(path) ?? <NotFound />)}
      </Pane>
    );
  }
  const { mapId, detail } = place;
  return (
    <>
      <Pane key="maps" number={1} label={deskTexts.panes.maps} isMain={mapId === undefined && !detail}>
        <MapsScreen currentId={mapId} />
      </Pane>
      {mapId === undefined ? (
        <PaneHint isHidden={detail !== undefined} title={deskTexts.chooseMap} text={deskTexts.chooseMapText} />
      ) : (
        <Pane key={mapId} number={2} label={deskTexts.panes.map} isMain={!detail} canPrint closeTo="/">
          <MapScreen mapId={mapId} Lists={MapLists} />
        </Pane>
      )}
      {detail ? (
        <Pane
          key={detail.path}
          number={3}
          label={deskTexts.panes.detail}
          isMain
          canPrint={detail.path !== '/record'}
          hasBack={detail.hasBack}
          closeTo={detail.closeTo}
          widening={widening}
        >
          <DetailScreen detail={detail} onDemand={onDemand} />
        </Pane>
      ) : (
        mapId !== undefined && <MapOverview key={`overview ${mapId}`} mapId={mapId} />
      )}
    </>
  );
}

function DetailScreen({ detail: { path }, onDemand }: { detail: DeskDetail; onDemand: PanesProps['onDemand'] }) {
  if (path === '/record') return <RecordScreen />;
  return <>{onDemand && (onDemand.screenAt(path) ?? <NotFound />)}</>;
}

function PaneHint({
  isHidden = false,
  title,
  text,
}: {
  isHidden?: boolean;
  title: string;
  text: string;
}): ComponentChildren {
  if (isHidden) return null;
  return (
    <div class="pane-hint">
      <EmptyState title={title} text={text} />
    </div>
  );
}

const NotFound = () => (
  <Screen title={texts.notFound.title}>
    <p>{texts.notFound.text}</p>
  </Screen>
);
