/** The schemas of what push, pull and the event stream answer; push.ts and pull.ts hold their types. */
import { Type } from 'typebox';
import { ProblemBody } from '../schema/answers.ts';
import { Closed, IntegerId, RecordingSessionId, Uuid } from '../schema/fields.ts';
import { MapDoc } from '../schema/map.ts';
import { RunDoc } from '../schema/run.ts';

const Version = Type.Integer({ minimum: 0 });
const Seq = Type.Integer({ minimum: 1 });
/** The hash chain over a client's mutations; empty before the first. */
const Chain = Type.String({ pattern: '^([0-9a-f]{32})?$' });
const RunNumber = RunDoc.properties.number;

export const MutationResultBody = Closed({
  id: Type.Optional(Type.Union([Uuid, IntegerId])),
  version: Type.Optional(Version),
  map_id: Type.Optional(Uuid),
  order: Type.Optional(Type.Integer({ minimum: 1 })),
  recording_session_id: Type.Optional(RecordingSessionId),
  map: Type.Optional(Closed({ id: Uuid, version: Version })),
  run: Type.Optional(Closed({ id: IntegerId, map_id: Uuid, number: RunNumber })),
});

export const AppliedMutation = Closed({
  seq: Seq,
  status: Type.Literal('applied'),
  result: Type.Optional(MutationResultBody),
});

export const RejectedMutation = Closed({ seq: Seq, status: Type.Literal('rejected'), error: ProblemBody });

export const PushAnswer = Closed({
  results: Type.Array(Type.Union([AppliedMutation, RejectedMutation])),
  last_seq: Version,
  cursor: Type.String(),
});

export const ClientProgress = Closed({
  last_seq: Version,
  acked_seq: Type.Optional(Version),
  chain: Type.Optional(Chain),
  rejections: Type.Array(Closed({ seq: Seq, error: ProblemBody })),
});

const changeFields = { version: Version, deleted: Type.Boolean() };

export const MapChangeBody = Closed({
  kind: Type.Literal('map'),
  id: Uuid,
  ...changeFields,
  doc: Type.Optional(MapDoc),
});
export const RunChangeBody = Closed({
  kind: Type.Literal('run'),
  id: IntegerId,
  ...changeFields,
  doc: Type.Optional(RunDoc),
});
export const ClientChangeBody = Closed({
  kind: Type.Literal('client'),
  id: Uuid,
  ...changeFields,
  doc: Type.Optional(ClientProgress),
});

export const PullAnswer = Closed({
  changes: Type.Array(Type.Union([MapChangeBody, RunChangeBody, ClientChangeBody])),
  cursor: Type.String(),
  has_more: Type.Boolean(),
  epoch: Type.String(),
  account_id: Uuid,
});
