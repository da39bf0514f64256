import { Type, type Static } from 'typebox';
import { Closed, GivenName, Instant, MapState, Name, Nullable, Text, Uuid, WorkType } from './fields.ts';
import { descriptionLengthMax, industryLengthMax } from './limits.ts';
import { Stage } from './stage.ts';

const Count = Type.Integer({ minimum: 0 });

const mapFields = {
  id: Uuid,
  name: Name,
  industry: Text(industryLengthMax),
  description: Text(descriptionLengthMax),
  state: MapState,
  archived: Type.Boolean(),
  deleted: Type.Boolean(),
  deleted_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
  /** The account's version at which this record was last written; the strong ETag is made of it. */
  version: Count,
  /** The account's version at which this record was first written; lists are ordered by it, newest first. */
  created_version: Count,
  stage_count: Count,
  run_count: Count,
  /** When the newest run that still exists was taken in; null without runs. */
  last_run_at: Nullable(Instant),
  /** The highest run number ever given, so that none is reused. */
  last_run_number: Count,
};

/** A map as lists carry it. */
export const MapRecord = Closed(mapFields);
export type MapRecord = Static<typeof MapRecord>;

/** A map with its stages, one document: what is stored and synced. */
export const MapDoc = Closed({ ...mapFields, stages: Type.Array(Stage) });
export type MapDoc = Static<typeof MapDoc>;

const Hours = Type.Number({ minimum: 0 });
export const WorkTypeShare = Closed({ stages: Count, cycle_time_hrs: Hours, wait_time_hrs: Hours });

export const Analytics = Closed({
  stage_count: Count,
  total_cycle_time_hrs: Hours,
  total_wait_time_hrs: Hours,
  lead_time_hrs: Hours,
  value_add_time_hrs: Hours,
  pce: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  by_work_type: Type.Record(WorkType, WorkTypeShare),
  run_count: Count,
  last_run_at: Nullable(Instant),
});
export type WorkTypeShare = Static<typeof WorkTypeShare>;
export type Analytics = Omit<Static<typeof Analytics>, 'by_work_type'> & {
  by_work_type: Record<WorkType, WorkTypeShare>;
};

/** The single map: the document with its analytics summary. */
export const FullMap = Closed({ ...MapDoc.properties, analytics: Analytics });
export type FullMap = MapDoc & { analytics: Analytics };

const optionalMapFields = {
  industry: Type.Optional(Text(industryLengthMax)),
  description: Type.Optional(Text(descriptionLengthMax)),
  state: Type.Optional(MapState),
};

/** The body of `POST /maps`. */
export const NewMap = Closed({ id: Type.Optional(Uuid), name: GivenName, ...optionalMapFields });
export type NewMap = Static<typeof NewMap>;

/** The body of `PATCH /maps/{id}`: only what is to change. */
export const MapPatch = Closed({
  name: Type.Optional(GivenName),
  ...optionalMapFields,
  archived: Type.Optional(Type.Boolean({ description: 'true or false' })),
});
export type MapPatch = Static<typeof MapPatch>;
