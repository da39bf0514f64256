/** The package's entry `gemba/devtools`, for people who develop an app or support its users. */
export { createInspector, type Inspector, type InspectorOptions } from '../inspect/inspector.ts';
export type { InspectedRelay } from '../inspect/inspected-engine.ts';
export type { InspectorVerbs } from '../inspect/inspector-verbs.ts';
export type { BundleOptions, SupportBundle } from '../inspect/support/support-bundle.ts';
export type {
  BaseFacts,
  CustodyFacts,
  DeviceSnapshot,
  EngineFacts,
  HandedOver,
  JournalFacts,
  MutationState,
  NamedRecord,
  OutboxFacts,
  OutboxItem,
  PlatformFacts,
  RecordingCustody,
  RecordLayers,
  StorageFacts,
  SyncRequest,
  SyncRound,
  TraceFacts,
} from '../inspect/shapes.ts';
export { mountDevtools, type DevtoolsOptions } from '../devtools/mount.ts';
