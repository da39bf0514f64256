import type { Attention } from 'gemba';
import type { Custody } from 'gemba';
import type { Gemba } from 'gemba';
import type { GembaOptions } from 'gemba';
import type { Observable } from 'rxjs';
import { ReactElement } from 'react';
import { ReactNode } from 'react';
import type { Recording } from 'gemba';
import type { RunScope } from 'gemba';
import type { ScopedGemba } from 'gemba';
import type { Status } from 'gemba';

declare type Analytics = Omit<Analytics_2, 'by_work_type'> & {
  by_work_type: Record<WorkType, WorkTypeShare>;
};

/**
 * The sums over all stages of a map.
 *
 */
declare interface Analytics_2 {
  stage_count: number;
  total_cycle_time_hrs: number;
  total_wait_time_hrs: number;
  lead_time_hrs: number;
  value_add_time_hrs: number;
  pce: number | null;
  by_work_type: {
    valuable: WorkTypeShare;
    incidental: WorkTypeShare;
    waste: WorkTypeShare;
  };
  run_count: number;
  last_run_at: string | null;
}

declare type FullMap = MapDoc & {
  analytics: Analytics;
};

/** Gives its children the engine. The children render only when there is an engine, so each hook in them has one. */
export declare function GembaProvider({ gemba, fallback, children }: GembaProviderProps): ReactElement;

export declare interface GembaProviderProps {
  /** The open engine; undefined while it opens, and on a server. */
  gemba: Gemba | undefined;
  /** Replaces the children while `gemba` is undefined. Default: nothing. */
  fallback?: ReactNode;
  children?: ReactNode;
}

/**
 * A map with its stages: one document.
 *
 */
declare interface MapDoc {
  id: string;
  name: string;
  industry: string;
  description: string;
  /**
   * A process as it is, `current`, or as it should become, `future`.
   */
  state: 'current' | 'future';
  archived: boolean;
  deleted: boolean;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  version: number;
  created_version: number;
  stage_count: number;
  run_count: number;
  last_run_at: string | null;
  last_run_number: number;
  stages: Stage[];
}

/** A record; `pending` is true if an unsettled mutation created or changed it. */
declare type Pending<Record> = Record & {
  pending: boolean;
};

/**
 * A stage of a map.
 *
 */
declare interface Stage {
  id: number;
  map_id: string;
  stage: string;
  order: number;
  cycle_time_hrs: number;
  wait_time_hrs: number;
  /**
   * How work counts: `valuable` is what the customer pays for, `incidental` has to be, `waste` does not.
   */
  work_type: 'valuable' | 'incidental' | 'waste';
  /**
   * @deprecated
   */
  value_add: boolean;
  aliases?: string[];
}

/** Returns the refused mutations that wait for a decision of a person. */
export declare const useAttention: () => Attention[] | undefined;

/** Returns 'server' once a pull has proven that the server has the recording, and 'device' before. */
export declare const useCustody: (recordingSessionId: string | undefined) => Custody | undefined;

/** Returns the maps in the recycle bin. */
export declare const useDeletedMaps: () =>
  | Pending<{
      id: string;
      name: string;
      industry: string;
      description: string;
      state: 'current' | 'future';
      archived: boolean;
      deleted: boolean;
      deleted_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      created_version: number;
      stage_count: number;
      run_count: number;
      last_run_at: string | null;
      last_run_number: number;
    }>[]
  | undefined;

/** Returns the engine of the nearest `GembaProvider` above, for its verbs. Throws if there is none. */
export declare function useGemba(): Gemba;

/** Returns a map with its stages; undefined if there is none. */
export declare const useMap: (mapId: string | undefined) => Pending<FullMap> | undefined;

/** Returns the maps that are not in the recycle bin, newest first. */
export declare const useMaps: () =>
  | Pending<{
      id: string;
      name: string;
      industry: string;
      description: string;
      state: 'current' | 'future';
      archived: boolean;
      deleted: boolean;
      deleted_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      created_version: number;
      stage_count: number;
      run_count: number;
      last_run_at: string | null;
      last_run_number: number;
    }>[]
  | undefined;

/**
 * Returns the newest value of `source$`; before the first value, the first render's `initial`. Each render must pass
 * the same observable (`useMemo(() => gemba.photo$(id), [gemba, id])`). Throws if 100 commits in a row pass a new one.
 */
export declare function useObservable<Value>(source$: Observable<Value>): Value | undefined;

export declare function useObservable<Value, Initial>(source$: Observable<Value>, initial: Initial): Value | Initial;

/**
 * Opens an engine while the component is mounted, and returns it once open. A new `name`, `url`, `token` or `kind`
 * opens another engine; the other options only take effect then. Throws errors of `openGemba` to the error boundary.
 */
export declare function useOpenedGemba(
  options: GembaOptions & {
    scope: RunScope;
  },
): ScopedGemba | undefined;

export declare function useOpenedGemba(options: GembaOptions): Gemba | undefined;

/** Returns the recording under way, or null. */
export declare const useRecording: () => Recording | null | undefined;

/** Returns a run with its steps; undefined if there is none. */
export declare const useRun: (runId: number | undefined) =>
  | Pending<{
      id: number;
      map_id: string;
      number: number;
      recording_session_id: string;
      device_id: string | null;
      started_at: string | null;
      device_started_at?: string;
      created_at: string;
      version: number;
      total_time_secs: number;
      value_add_time_secs: number;
      pce: number | null;
      step_count: number;
      name?: string;
      tags?: string[];
      note?: string;
      excluded?: {
        reason: string;
      } | null;
      revision?: number;
      steps: {
        stage_name: string;
        order: number;
        duration_secs: number;
        duration_estimated: boolean;
        work_type: 'incidental' | 'valuable' | 'waste';
        value_add: boolean;
        notes: string;
        photos: string[];
      }[];
      recorded_steps?: {
        stage_name: string;
        order: number;
        duration_secs: number;
        duration_estimated: boolean;
        work_type: 'incidental' | 'valuable' | 'waste';
        value_add: boolean;
        notes: string;
        photos: string[];
      }[];
    }>
  | undefined;

/** Returns the runs of a map, newest first. */
export declare const useRuns: (mapId: string | undefined) =>
  | Pending<{
      id: number;
      map_id: string;
      number: number;
      recording_session_id: string;
      device_id: string | null;
      started_at: string | null;
      device_started_at?: string;
      created_at: string;
      version: number;
      total_time_secs: number;
      value_add_time_secs: number;
      pce: number | null;
      step_count: number;
      name?: string;
      tags?: string[];
      note?: string;
      excluded?: {
        reason: string;
      } | null;
      revision?: number;
    }>[]
  | undefined;

/** Returns the status: the state of the sync, and what is pending. */
export declare const useStatus: () => Status | undefined;

declare type WorkType = 'valuable' | 'incidental' | 'waste';

/**
 * The sums over the stages of one work type.
 *
 */
declare interface WorkTypeShare {
  stages: number;
  cycle_time_hrs: number;
  wait_time_hrs: number;
}

export {};
