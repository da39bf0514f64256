/** The eleven mutations as the document shows them: the endpoint's body plus its path parameters. */
import type { TSchema } from 'typebox';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import type { Component } from '../component.ts';

/** A component of its own, so that generated clients have a type for it. */
export function mutationMeaning(schema: TSchema, name: MutationName): [name: string, component: Component] {
  const description = `What \`${endpoints[name]}\` does. What it creates may carry your own id.`;
  const fields = {
    seq: 'Counts the mutations of the client: 1, 2, 3... without gaps.',
    name: 'What is to be done.',
    args: "The endpoint's body plus its path parameters, named `map_id`, `stage_id` and `run_id`.",
    recorded_at: 'When it happened on the device.',
  };
  return [`${pascalCase(name)}Mutation`, { schema, description, fields, closed: true }];
}

const endpoints: Record<MutationName, string> = {
  create_map: 'POST /api/v1/maps',
  update_map: 'PATCH /api/v1/maps/{id}',
  delete_map: 'POST /api/v1/maps/{id}/delete',
  restore_map: 'POST /api/v1/maps/{id}/restore',
  add_stage: 'POST /api/v1/maps/{id}/stages',
  update_stage: 'PATCH /api/v1/maps/{id}/stages/{stage_id}',
  delete_stage: 'POST /api/v1/maps/{id}/stages/{stage_id}/delete',
  reorder_stages: 'POST /api/v1/maps/{id}/stages/reorder',
  upload_recording: 'POST /api/v1/maps/{id}/recording',
  record_new_map: 'POST /api/v1/recording/new',
  delete_run: 'POST /api/v1/runs/{run_id}/delete',
};

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
