/** The parts of the phone's app that load after its start. Starting a recording does not need them. */
import type { Recording } from '../../client.ts';
import { undoWithToast } from '../recorder/undo-with-toast.ts';
import { matchPath } from '../shell/router.tsx';
import { loadPairTexts } from '../text/pairing.ts';
import { loadAccountTexts } from '../text/phone-account.ts';
import { loadInterchangeTexts } from '../text/interchange/phone-interchange.ts';
import { loadMapTexts } from '../text/phone-maps.ts';
import { loadOnDemandTexts, recordTexts } from '../text/phone-on-demand.ts';
import { loadRunsTexts } from '../text/phone-runs.ts';
import { AccountScreen } from './account/account.tsx';
import { AttentionScreen } from './sync/attention.tsx';
import { BinScreen } from './maps/bin.tsx';
import { OnDemandCarryScreen } from './carry/on-demand-carry.tsx';
import { CompareRunsScreen } from './compare/compare.tsx';
import { DevicesScreen } from './devices/devices.tsx';
import { KeysScreen } from './devices/keys.tsx';
import { PairDeviceScreen } from './devices/pair-device.tsx';
import { CompareMapsScreen } from './compare-maps/compare-maps.tsx';
import { ChooseOtherMapScreen } from './compare-maps/choose-other-map.tsx';
import { ImportScreen } from './interchange/import-screen.tsx';
import { RunScreen } from './runs/run.tsx';
import { RunsScreen, SelectRunsScreen } from './runs/runs.tsx';
import { StepsScreen } from './runs/steps-screen.tsx';
import { DevicePanelScreen } from './sync/device-panel-screen.tsx';
import { SyncScreen } from './sync/sync.tsx';

export { ExportCommand } from './interchange/export-command.tsx';
export { Ladder } from './maps/ladder.tsx';
export { LoadingProgress } from './maps/loading-progress.tsx';
export { MapDialog } from './maps/map-dialog.tsx';
export { MapMenu } from './maps/map-menu.tsx';
export { MissingMap, MissingPage } from './missing.tsx';
export { RunsOnServerCard } from './on-server/runs-on-server-card.tsx';
export { ValueStream } from './maps/value-stream.tsx';
export { filterAndSortRuns, noFilter } from './runs/run-filter.ts';
export { RunFilterFields } from './runs/run-filter-fields.tsx';
export { RunSummary } from './runs/runs.tsx';
export { stageMediansOf } from './record/stage-medians.ts';
export { NoRecording } from './record/no-recording.tsx';
export { RecorderDialogs } from './record/recorder-dialogs.tsx';
export { OtherTapButtons } from './record/other-tap-buttons.tsx';
export { CurrentPhotos, TakePhotoButton } from './photos/step-photos.tsx';
export { RecorderSteps } from './record/recorder-steps.tsx';
export { NoMaps, NoMapsFound } from './maps/no-maps.tsx';
export { UntrustedNotice } from './sync/untrusted-notice.tsx';
export { Trend } from './trend/trend.tsx';
export { StageSection } from './stages/stage-section.tsx';

export const undoTapWithToast = (recording: Recording): Promise<void> => undoWithToast(recording, recordTexts.undone);

/** Loads the texts of the components of this file, none of which may render before the promise resolves. */
export const loadTextsOfScreens = () =>
  Promise.all([
    loadOnDemandTexts(),
    loadRunsTexts(),
    loadMapTexts(),
    loadAccountTexts(),
    loadInterchangeTexts(),
    loadPairTexts(),
  ]);

/**
 * Returns the screen of a path; undefined if this file has no screen for the path. A `key` gives each path a new state,
 * so that nothing of one run stays on the screen of another run.
 */
export function screenAt(path: string) {
  if (path === '/maps/bin') return <BinScreen />;
  if (path === '/sync') return <SyncScreen />;
  if (path === '/sync/device') return <DevicePanelScreen />;
  if (path === '/carry') return <OnDemandCarryScreen key={path} name="carry" />;
  if (path === '/carry/hand-over') return <OnDemandCarryScreen key={path} name="hand-over" />;
  if (path === '/attention') return <AttentionScreen />;
  return accountScreenAt(path) ?? mapScreenAt(path);
}

/** The screens of the account and its devices. */
function accountScreenAt(path: string) {
  if (path === '/account') return <AccountScreen />;
  if (path === '/account/import') return <ImportScreen />;
  if (path === '/devices') return <DevicesScreen />;
  if (path === '/devices/keys') return <KeysScreen />;
  if (path === '/devices/pair/watch') return <PairDeviceScreen key="watch" kind="wearable" />;
  if (path === '/devices/pair/phone') return <PairDeviceScreen key="phone" kind="phone" />;
  if (path === '/devices/pair/computer') return <PairDeviceScreen key="computer" kind="desk" />;
  return undefined;
}

/** The screens of a map and its runs. */
function mapScreenAt(path: string) {
  const chooseMap = matchPath('/maps/:mapId/beside', path);
  if (chooseMap) return <ChooseOtherMapScreen key={path} mapId={chooseMap.mapId} />;
  const twoMaps = matchPath('/maps/:mapId/beside/:otherId', path);
  if (twoMaps) return <CompareMapsScreen key={path} mapId={twoMaps.mapId} otherId={twoMaps.otherId} />;
  const runs = matchPath('/maps/:mapId/runs', path);
  if (runs) return <RunsScreen key={path} mapId={runs.mapId} />;
  const run = matchPath('/maps/:mapId/runs/:runId', path);
  if (run) return <RunScreen key={path} mapId={run.mapId} runId={Number(run.runId)} />;
  const steps = matchPath('/maps/:mapId/runs/:runId/steps', path);
  if (steps) return <StepsScreen key={path} mapId={steps.mapId} runId={Number(steps.runId)} />;
  const chooseRuns = matchPath('/maps/:mapId/choose', path);
  if (chooseRuns) return <SelectRunsScreen key={path} mapId={chooseRuns.mapId} initialIds={[]} />;
  const selected = matchPath('/maps/:mapId/choose/:runs', path);
  if (selected) return <SelectRunsScreen key={path} mapId={selected.mapId} initialIds={parseIds(selected.runs)} />;
  const compared = matchPath('/maps/:mapId/compare/:runs', path);
  if (compared) return <CompareRunsScreen key={path} mapId={compared.mapId} ids={parseIds(compared.runs)} />;
  return undefined;
}

/** Parses the ids in a path: `7,9` → `[7, 9]`. Skips what is not an id. */
const parseIds = (list: string): number[] =>
  [...new Set(list.split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0);
