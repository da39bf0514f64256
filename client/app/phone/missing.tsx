/**
 * Says why the app cannot show a page, a map or a run. Either a person deleted the map or the run, or the server
 * refused to store the map or the run and this device keeps the refused change, or the link is wrong.
 */
import type { Attention } from '../../client.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Screen } from '../ui/screen.tsx';
import { useGemba, useValue, useValueOf } from '../shell/engine.tsx';
import { Link } from '../shell/router.tsx';
import { attentionTexts, missingRecordTexts, syncTexts } from '../text/phone-on-demand.ts';
import { recycleBinTexts, noMapsTexts } from '../text/phone-maps.ts';
import { serverOnlyRunsTexts, runTexts } from '../text/phone-runs.ts';
import { texts } from '../text/texts.ts';
import { FailureCard, useServerData, WaitingNotice } from './devices/server-request.tsx';
import { succeededOrToast } from './succeeded-or-toast.ts';

export function MissingPage() {
  return (
    <Screen title={texts.notFound.title}>
      <EmptyState text={texts.notFound.text}>
        <Link href="/" class="button button-primary">
          {missingRecordTexts.home}
        </Link>
      </EmptyState>
    </Screen>
  );
}

/** Shows that a map is missing. For a map in the recycle bin, offers to restore it. */
export function MissingMap({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const refused = useRefusedChange(({ name, args }) => mapMakingMutationNames.has(name) && args['map_id'] === mapId);
  if (map) {
    return (
      <Screen title={map.name} back="/maps/bin">
        <p class="card">{recycleBinTexts.inBin}</p>
        <Button look="primary" icon="undo" onClick={() => void succeededOrToast(gemba.restoreMap(mapId))}>
          {recycleBinTexts.restore}
        </Button>
      </Screen>
    );
  }
  const title = refused?.args['name'];
  return (
    <MissingScreen
      title={typeof title === 'string' ? title : missingRecordTexts.title}
      back="/"
      text={missingRecordTexts.map}
      refused={refused}
    />
  );
}

interface MissingRunProps {
  mapId: string;
  runId: number;
  back: string;
}

/** Asks the server for the run before it says that the run is missing, since this device may not have loaded it. */
export function MissingRun({ mapId, runId, back }: MissingRunProps) {
  const gemba = useGemba();
  const status = useValue(gemba.status$);
  const { data, busy, failure, load } = useServerData(() => gemba.loadRuns(mapId, [runId]));
  const refused = useRefusedChange(({ args }) => 'steps' in args && args['run_id'] === runId);
  if (!data && !refused && status?.last_synced_at !== null) {
    return (
      <Screen title={serverOnlyRunsTexts.runNotHere} back={back}>
        <WaitingNotice busy={busy} />
        <FailureCard text={failure} onAgain={load} />
      </Screen>
    );
  }
  const title = refused ? attentionTexts.names[refused.name] : runTexts.gone;
  return <MissingScreen title={title} back={back} text={missingRecordTexts.run} refused={refused} />;
}

const mapMakingMutationNames: ReadonlySet<string> = new Set<Attention['name']>(['create_map', 'record_new_map']);

/** Returns the first refused mutation for which `matches` is true; undefined if there is none. */
function useRefusedChange(matches: (item: Attention) => boolean): Attention | undefined {
  return useValue(useGemba().attention$)?.find(matches);
}

interface MissingScreenProps {
  title: string;
  back: string;
  /** The reason to show if the server refused nothing. */
  text: string;
  refused: Attention | undefined;
}

function MissingScreen({ title, back, text, refused }: MissingScreenProps) {
  const status = useValue(useGemba().status$);
  if (refused) {
    return (
      <Screen title={title} back={back}>
        <div class="card stack">
          <p>{attentionTexts.message(refused)}</p>
          <p>{missingRecordTexts.kept}</p>
        </div>
        <Link href="/attention" class="button button-primary">
          {syncTexts.seeAttention}
        </Link>
      </Screen>
    );
  }
  return (
    <Screen title={title} back={back}>
      <EmptyState text={status?.last_synced_at === null ? noMapsTexts.notLoaded.text : text}>
        <Link href="/" class="button button-primary">
          {missingRecordTexts.home}
        </Link>
      </EmptyState>
    </Screen>
  );
}
