/** The verbs that show what an engine does. */
import type { Observable } from 'rxjs';
import type { NamedRecord, RecordLayers, Snapshot, SnapshotPart } from './shapes.ts';
import type { BundleOptions, SupportBundle } from './support/support-bundle.ts';

export interface InspectorVerbs {
  /** Reads these parts, or all: the outbox, custody, the trace, the journal and others. The texts of people are in them. */
  snapshot<Part extends SnapshotPart = SnapshotPart>(parts?: readonly Part[]): Promise<Snapshot<Part>>;
  /** Returns the maps that the device has, also those in the recycle bin. */
  maps(): Promise<NamedRecord[]>;
  /** Returns the runs of the map that the device has, the newest first. */
  runs(mapId: string): Promise<NamedRecord[]>;
  /** Reads a map or a run as it was pulled, and with the pending mutations on top. */
  record(kind: 'map' | 'run', id: string): Promise<RecordLayers>;
  /** Starts or stops the trace of the sync. A stopped trace keeps its rounds. */
  trace(isOn: boolean): Promise<void>;
  /**
   * Emits when records, a recording, the status, the second copy, the trace, or what is carried or handed over changes,
   * perhaps often in a moment.
   */
  changes$: Observable<void>;
  /** Makes one file for support, without secrets, and without the texts of people unless `texts` is true. */
  supportBundle(options?: BundleOptions): Promise<SupportBundle>;
}
