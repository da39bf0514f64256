/** The public verbs of an inspector, which show what an engine does. */
import type { Observable } from 'rxjs';
import type { NamedRecord, RecordLayers, Snapshot, SnapshotPart } from './shapes.ts';
import type { BundleOptions, SupportBundle } from './support/support-bundle.ts';

export interface InspectorVerbs {
  /**
   * Reads the given parts, or all: the outbox, custody, the trace, the journal and others. The result contains people's
   * texts.
   */
  snapshot<Part extends SnapshotPart = SnapshotPart>(parts?: readonly Part[]): Promise<Snapshot<Part>>;
  /** Returns the maps on the device, including those in the recycle bin. */
  maps(): Promise<NamedRecord[]>;
  /** Returns the runs of the map on the device, the newest first. */
  runs(mapId: string): Promise<NamedRecord[]>;
  /** Reads a map or a run, both as last pulled and with the pending mutations applied. */
  record(kind: 'map' | 'run', id: string): Promise<RecordLayers>;
  /** Starts or stops the trace of the sync. After a stop, the traced rounds stay. */
  trace(isOn: boolean): Promise<void>;
  /**
   * Emits when records, a recording, the status, the journal, the trace, carried messages or hand-overs change. It may
   * emit many times within a moment.
   */
  changes$: Observable<void>;
  /** Makes the support bundle: one object without secrets, and without people's texts unless `texts` is true. */
  supportBundle(options?: BundleOptions): Promise<SupportBundle>;
}
