/**
 * Describes the body of a push as a list of valid mutations. The schema that checks a push accepts more, since the
 * server must reject an invalid mutation alone, without the rest of the push.
 */
import { Type, type TSchema } from 'typebox';
import { noopName } from '../../shared/protocol/noop.ts';
import { MutationEnvelope, PushRequest } from '../../shared/protocol/push.ts';
import { Closed, Described, meaningOf } from '../../shared/schema/fields.ts';
import { pascalCase } from './pascal-case.ts';
import { mutationArgs, mutationNames, type MutationName } from '../../shared/schema/mutation.ts';

const endpointByMutation: Record<MutationName, string> = {
  create_map: 'POST /api/v1/maps',
  update_map: 'PATCH /api/v1/maps/{id}',
  delete_map: 'POST /api/v1/maps/{id}/delete',
  restore_map: 'POST /api/v1/maps/{id}/restore',
  add_stage: 'POST /api/v1/maps/{id}/stages',
  update_stage: 'PATCH /api/v1/maps/{id}/stages/{stage_id}',
  delete_stage: 'POST /api/v1/maps/{id}/stages/{stage_id}/delete',
  reorder_stages: 'POST /api/v1/maps/{id}/stages/reorder',
  replace_stages: 'POST /api/v1/maps/{id}/stages/replace',
  upload_recording: 'POST /api/v1/maps/{id}/recording',
  record_new_map: 'POST /api/v1/recording/new',
  update_run: 'PATCH /api/v1/runs/{run_id}',
  correct_run: 'POST /api/v1/runs/{run_id}/correct',
  delete_run: 'POST /api/v1/runs/{run_id}/delete',
};

const { seq, args, recorded_at, version, digest } = MutationEnvelope.properties;

const mutationSchemas: TSchema[] = mutationNames.map((name) =>
  Closed(
    {
      seq,
      name: Described(Type.Literal(name), 'What is to be done.'),
      args: Described(mutationArgs[name], meaningOf(args)),
      recorded_at,
      version,
    },
    { title: `${pascalCase(name)}Mutation`, description: `What \`${endpointByMutation[name]}\` does.` },
  ),
);

const noopSchema = Closed(
  {
    seq,
    name: Described(Type.Literal(noopName), 'What is to be done.'),
    args: Described(Closed({}), 'Empty.'),
    recorded_at,
    digest: Described(
      digest,
      'The digest under which the number counts in `chain`, where that is not the one of this noop.',
    ),
  },
  {
    title: 'NoopMutation',
    description: 'A number whose mutation the device withdrew. It is rejected with `withdrawn`, and used up.',
  },
);

const { mutations: anyMutations, ...envelope } = PushRequest.properties;

export const DocumentedPushRequest = Closed(
  {
    ...envelope,
    mutations: Described(Type.Array(Type.Union([...mutationSchemas, noopSchema])), meaningOf(anyMutations)),
  },
  { title: 'PushRequest', description: "A device's mutations, in its order." },
);
