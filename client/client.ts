/** The public face of the device's engine: `openGemba`, its types and its errors. */

export { openGemba } from './open.ts';
export { runScope } from './scope.ts';
export { stageKey } from '../shared/domain/stages/stage-key.ts';
export { tagKey } from '../shared/domain/tags.ts';
export { hexOfPhotoId } from '../shared/schema/photos/photo-id.ts';
export { exportFacts, type ExportFormat } from '../shared/export/formats.ts';
export { presentNames } from '../shared/domain/stages/stage-names.ts';
export {
  descriptionLengthMax,
  industryLengthMax,
  nameLengthMax,
  notesLengthMax,
  runsPerCompareMax,
} from '../shared/schema/limits.ts';
export {
  placeSegments,
  outlinedPartsMax,
  type Segment,
  type WorkAndWaitTimes,
} from '../shared/value-stream/segments.ts';
export { workTypeLines } from '../shared/value-stream/work-type-lines.ts';
export { workTypeMarks } from '../shared/value-stream/work-type-marks.ts';
export type { Clock } from './core/clock.ts';
export type { IdGenerator } from './core/ids.ts';
export { GembaError, type DeviceErrorCode } from './core/errors.ts';
export type { DeviceReport } from '../shared/protocol/device-report.ts';
export type { ImportErrorParams, ImportWarningParams } from '../shared/schema/integration/import-problems.ts';
export type { ImportError, ImportReport, ImportWarning } from '../shared/schema/integration/import-report.ts';
export type { ImportOptions } from './import-steps.ts';
export type { ImportProgress } from '../shared/import/time-slices.ts';
export type { ControlChart, StudyRequest } from '../shared/schema/study.ts';
export type { EarlyEngine, Gemba, GembaOptions, ScopedGemba } from './gemba.ts';
export type { Attention, Remedy } from './outbox/attention/attention.ts';
export type { RecordedStep } from './recording/draft-step.ts';
export type {
  Discarded,
  Finished,
  FinishOptions,
  MapBeingMade,
  NextCycle,
  Recorded,
  Recording,
  RecordingTarget,
  StepEdit,
  StepFields,
  StepPosition,
  TakenPhoto,
} from './recording/recording.ts';
export type { PhotoPlatform } from './photos/photo-platform.ts';
export type { PhotosStatus, PhotoSize } from './photos/photo-verbs.ts';
export type { EncodedPhoto } from './photos/encode/encode-picture.ts';
export type { PhotoFiles } from './photos/photo-files.ts';
export type { NetworkConnection } from './photos/photo-policy.ts';
export type { PhotoEncoder } from './photos/encode/photo-worker-client.ts';
export type { PhotoPolicy } from './photos/row-shapes.ts';
export type { Undoable } from './recording/taps/undoable-taps.ts';
export { createCarrier, type Carrier } from './carrier.ts';
export { createHandOver, type HandOver } from './hand-over.ts';
export type { HeldByCarrier } from './open-hand-over.ts';
export type { HandOverProgress, HandOverResult } from './hand-over/meeting.ts';
export type { ReceiptEntry, ReceiptOutcome } from './hand-over/receipts.ts';
export type { NotShown, ShownCodes } from './hand-over/shown-codes.ts';
export type {
  CarryProgress,
  CarryResult,
  Carrying,
  CodeProgress,
  CodeReader,
  ReadCode,
} from './relay/carrier-verbs.ts';
export type { ByteChannel } from './relay/frame-link.ts';
export {
  answerChannel,
  offerChannel,
  sessionCodeKind,
  type ChannelAnswer,
  type OfferedChannel,
  type PeerOptions,
} from './relay/peer-channel.ts';
export type { DeviceStorage, SuppliedStorage } from './storage/row-storage.ts';
export type { TabPlatform } from './core/supports-tabs.ts';
export type { Mirror } from './storage/journal/mirror.ts';
export type { ImportedUnsent } from './transfer/import-unsent.ts';
export type { UnsentFile } from './transfer/unsent-file.ts';
export type { PairedDevice } from './devices/device-verbs.ts';
export type { Progress } from './sync/tabs/tab-channel.ts';
export type { Status } from './sync/tabs/status.ts';
export type { Custody } from './recording/custody.ts';
export type { LoadedRuns, RunScope } from './sync/scope/hooks.ts';
export type { LatestRuns } from './sync/scope/latest-runs.ts';
export type { RunTotals } from './sync/scope/run-totals-request.ts';
export type { RunScopeBounds } from './sync/scope/run-scope.ts';
export type { RunsOnServer } from './sync/scope/runs-on-server.ts';
export type { Pending } from './view/observed-records.ts';
export type { Problem } from '../shared/protocol/problem.ts';
export type { AccountOverview, Plan, Scope } from '../shared/schema/account.ts';
export type {
  ApiKey,
  DeviceKind,
  NewApiKey,
  NewApiKeyResult,
  PairingCode,
  PairingCodeAccount,
} from '../shared/schema/auth.ts';
export type { DeviceHealth, DeviceStatus } from '../shared/schema/fleet.ts';
export type { MapState, WorkType } from '../shared/schema/fields.ts';
export type { Analytics, FullMap, MapPatch, MapRecord, NewMap } from '../shared/schema/map.ts';
export type { RecordingBody, RecordingStep, StagesMode } from '../shared/schema/recording.ts';
export type {
  Comparison,
  RunDoc,
  RunPatch,
  RunRecord,
  RunStep,
  StageFigures,
  TotalTimeFigures,
} from '../shared/schema/run.ts';
export type { NewStage, Stage, StagePatch, StageReplacement } from '../shared/schema/stage.ts';
