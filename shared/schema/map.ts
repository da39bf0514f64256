import { Type, type Static } from 'typebox';
import { Closed, Described, NameInput, Instant, MapState, Name, Nullable, Text, Uuid, WorkType } from './fields.ts';
import { descriptionLengthMax, industryLengthMax } from './limits.ts';
import { PageSchema } from './page.ts';
import { Stage } from './stage.ts';

const Count = Type.Integer({ minimum: 0 });
const lastRunAtMeaning = 'When the server received the newest existing run; null if there is none.';

const Industry = Described(
  Text(industryLengthMax),
  'The trade that the process belongs to, in your words. Lists can be filtered by it. Default: empty.',
);
const Description = Described(Text(descriptionLengthMax), 'Anything worth knowing about the process. Default: empty.');
const MapStateField = Described(
  MapState,
  'Whether the map shows the process as it is or as it should become. Default: `current`.',
);
const nameMeaning = 'What people call the process, trimmed.';

const mapFields = {
  id: Described(Uuid, 'Stands for `{id}` in paths. The server makes UUIDs of version 7; a client may bring its own.'),
  name: Described(Name, nameMeaning),
  industry: Industry,
  description: Description,
  state: MapStateField,
  archived: Described(
    Type.Boolean(),
    'Whether the map is archived, which neither changes nor hides it. Lists can be filtered by this.',
  ),
  deleted: Described(Type.Boolean(), 'Whether the map is in the recycle bin.'),
  deleted_at: Described(Nullable(Instant), 'When the map was moved to the recycle bin; null if it is not there.'),
  created_at: Described(Instant, 'When it was created.'),
  updated_at: Described(Instant, 'When the map or its stages last changed.'),
  version: Described(Count, "The account's version at which the map was last written. The ETag is made of it."),
  created_version: Described(
    Count,
    "The account's version at which the map was first written. Lists are ordered by it, newest first.",
  ),
  stage_count: Described(Count, 'How many stages the map has.'),
  run_count: Described(Count, 'How many runs the map has.'),
  last_run_at: Described(Nullable(Instant), lastRunAtMeaning),
  last_run_number: Described(Count, 'The highest run number that the map has ever given. Numbers are not reused.'),
};

/** A map without its stages, as lists return it. */
export const MapRecord = Closed(mapFields, {
  title: 'Map',
  description: 'A map as lists carry it: without its stages.',
});
export type MapRecord = Static<typeof MapRecord>;

export const MapPage = PageSchema(MapRecord, {
  title: 'MapPage',
  description: 'A page of maps, newest first.',
  data: 'The maps of this page.',
});

/** A map with its stages: one document, as the server stores and syncs it. */
export const MapDoc = Closed(
  { ...mapFields, stages: Described(Type.Array(Stage), 'All stages in their order.') },
  { title: 'MapWithStages', description: 'A map with its stages: one document.' },
);
export type MapDoc = Static<typeof MapDoc>;

const Hours = Type.Number({ minimum: 0 });
export const WorkTypeShare = Closed(
  {
    stages: Described(Count, 'How many stages are of this type.'),
    cycle_time_hrs: Described(Hours, 'The time worked in these stages, in hours.'),
    wait_time_hrs: Described(Hours, 'The waiting time of these stages, in hours.'),
  },
  { title: 'WorkTypeShare', description: 'The sums over the stages of one work type.' },
);

export const Analytics = Closed(
  {
    stage_count: Described(Count, 'How many stages the map has.'),
    total_cycle_time_hrs: Described(Hours, 'Time worked, in hours, over all stages.'),
    total_wait_time_hrs: Described(Hours, 'Time waited, in hours, over all stages.'),
    lead_time_hrs: Described(Hours, 'Cycle time and wait time together, in hours.'),
    value_add_time_hrs: Described(Hours, 'Cycle time of the `valuable` stages, in hours.'),
    pce: Described(
      Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      'Process cycle efficiency: value-add time ÷ lead time, from 0 to 1; null when the lead time is 0.',
    ),
    by_work_type: Described(Type.Record(WorkType, WorkTypeShare), 'The same, split by the classification of the work.'),
    run_count: Described(Count, 'How many runs the map has.'),
    last_run_at: Described(Nullable(Instant), lastRunAtMeaning),
  },
  { title: 'Analytics', description: 'The sums over all stages of a map.' },
);
export type WorkTypeShare = Static<typeof WorkTypeShare>;
export type Analytics = Omit<Static<typeof Analytics>, 'by_work_type'> & {
  by_work_type: Record<WorkType, WorkTypeShare>;
};

/** A map with its stages and its analytics summary. */
export const FullMap = Closed(
  { ...MapDoc.properties, analytics: Described(Analytics, 'The sums over all stages of the map.') },
  { title: 'FullMap', description: 'A map with its stages and its analytics.' },
);
export type FullMap = MapDoc & { analytics: Analytics };

/** The body of `POST /maps`. */
export const NewMap = Closed(
  {
    id: Described(Type.Optional(Uuid), 'Your own id for the map, final. Left out, the server makes one.'),
    name: Described(NameInput, nameMeaning),
    industry: Type.Optional(Industry),
    description: Type.Optional(Description),
    state: Type.Optional(MapStateField),
  },
  { title: 'NewMap', description: 'A map to create.' },
);
export type NewMap = Static<typeof NewMap>;

/** The body of `PATCH /maps/{id}`: only the fields to change. */
export const MapPatch = Closed(
  {
    name: Described(Type.Optional(NameInput), nameMeaning),
    industry: Described(Type.Optional(Text(industryLengthMax)), 'The trade that the process belongs to.'),
    description: Described(Type.Optional(Text(descriptionLengthMax)), 'Anything worth knowing about the process.'),
    state: Described(Type.Optional(MapState), 'Whether the map shows the process as it is or as it should become.'),
    archived: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'True archives the map, false restores it from the archive.',
    ),
  },
  { title: 'MapPatch', description: 'The fields to change. Absent fields stay as they are.' },
);
export type MapPatch = Static<typeof MapPatch>;
