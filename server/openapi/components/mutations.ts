/** The eleven mutations as the document shows them: the endpoint's body plus its path parameters. */
import type { TSchema } from 'typebox';
import { mutationArgs, type MutationName } from '../../../shared/schema/mutation.ts';
import type { Component } from '../component.ts';
import { mapComponents } from './maps.ts';
import { recordingComponents } from './recordings.ts';
import { stageComponents } from './stages.ts';

export const mutationFields = {
  seq: 'Counts the mutations of the client: 1, 2, 3... without gaps.',
  name: 'What is to be done.',
  recorded_at: 'When it happened on the device.',
};

/** Components of their own, for the mutation and its args, so that generated clients have types for them. */
export function mutationComponents(schema: TSchema, name: MutationName): [name: string, component: Component][] {
  const { endpoint, body } = bodies[name];
  const fields = {
    ...mutationFields,
    args: "The endpoint's body plus its path parameters.",
    version: 'Of the shape of `args`, counted from 1, which is the default. Older ones are still taken.',
  };
  const mutation = { schema, description: `What \`${endpoint}\` does.`, fields, closed: true };
  const args = {
    schema: mutationArgs[name],
    description: body ? `The body of \`${endpoint}\` and the ids in its path.` : 'The ids in the path of the endpoint.',
    fields: { ...idMeanings(name), ...body?.fields },
    closed: true,
  };
  return [
    [`${pascalCase(name)}Mutation`, mutation],
    [argsName(name), args],
  ];
}

/** A schema has one name: these two are the same. */
function argsName(name: MutationName): string {
  return name === 'delete_map' || name === 'restore_map' ? 'MapIdArgs' : `${pascalCase(name)}Args`;
}

/** What a mutation creates may carry the device's own id. */
function idMeanings(name: MutationName): Record<string, string> {
  const own = 'final. Left out, the server makes one.';
  return {
    map_id: name === 'create_map' || name === 'record_new_map' ? `Your own id for the map, ${own}` : 'The map.',
    stage_id: name === 'add_stage' ? `Your own id for the stage, ${own}` : 'The stage.',
    run_id: name === 'delete_run' ? 'The run.' : `Your own id for the run, ${own}`,
    stage_ids: 'Your own ids for the stages, one a step, final. Left out, the server makes them.',
  };
}

interface Body {
  endpoint: string;
  body?: Component | undefined;
}

const bodies: Record<MutationName, Body> = {
  create_map: { endpoint: 'POST /api/v1/maps', body: mapComponents['NewMap'] },
  update_map: { endpoint: 'PATCH /api/v1/maps/{id}', body: mapComponents['MapPatch'] },
  delete_map: { endpoint: 'POST /api/v1/maps/{id}/delete' },
  restore_map: { endpoint: 'POST /api/v1/maps/{id}/restore' },
  add_stage: { endpoint: 'POST /api/v1/maps/{id}/stages', body: stageComponents['NewStage'] },
  update_stage: { endpoint: 'PATCH /api/v1/maps/{id}/stages/{stage_id}', body: stageComponents['StagePatch'] },
  delete_stage: { endpoint: 'POST /api/v1/maps/{id}/stages/{stage_id}/delete' },
  reorder_stages: { endpoint: 'POST /api/v1/maps/{id}/stages/reorder', body: stageComponents['StageOrder'] },
  upload_recording: { endpoint: 'POST /api/v1/maps/{id}/recording', body: recordingComponents['Recording'] },
  record_new_map: { endpoint: 'POST /api/v1/recording/new', body: recordingComponents['NewMapRecording'] },
  delete_run: { endpoint: 'POST /api/v1/runs/{run_id}/delete' },
};

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
