/** The bodies of answers that are no record: envelopes, confirmations, problems. */
import { Type, type TSchema } from 'typebox';
import { Account } from './account.ts';
import { Closed, IntegerId, Nullable, RecordingSessionId, Uuid } from './fields.ts';
import { FullMap, MapRecord } from './map.ts';
import { RunDoc, RunRecord } from './run.ts';

/** The envelope of a list: a page of it. */
export const Page = <Item extends TSchema>(item: Item) =>
  Closed({ data: Type.Array(item), next_cursor: Nullable(Type.String()) });

const runKeys = { id: IntegerId, map_id: Uuid, number: RunRecord.properties.number, deleted: Type.Literal(true) };

export const DeletedRun = Closed(runKeys);

export const RecordingResult = Closed({ map: FullMap, run: RunDoc, recording_session_id: RecordingSessionId });

/** What a recording is answered with once its run was deleted. */
export const RecordingResultWithoutRun = Closed({
  map: MapRecord,
  run: Closed({ ...runKeys, recording_session_id: RecordingSessionId }),
  recording_session_id: RecordingSessionId,
});

export const NewAccountResult = Closed({ account: Account, api_key: Type.String() });
export const AccountResult = Closed({ account: Account });

export const FieldErrorBody = Closed({ path: Type.String(), message: Type.String() });

/** RFC 9457. Some codes carry members of their own. */
export const ProblemBody = Type.Object({
  type: Type.String({ format: 'uri-reference' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  code: Type.String(),
  request_id: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(FieldErrorBody)),
});
