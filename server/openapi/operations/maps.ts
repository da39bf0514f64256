import { FullMap, MapRecord } from '../../../shared/schema/map.ts';
import { Page } from '../../../shared/schema/answers.ts';
import { futureMapId, orderMapId } from '../example-ids.ts';
import { paging, type Resource } from '../notes.ts';

const order = { id: orderMapId };

export const maps: Resource = {
  tag: 'Maps',
  description:
    'A map is a named sequence of stages. Deleting one puts it into a recycle bin, from which it can be restored.',
  operations: {
    'GET /api/v1/maps': {
      operationId: 'listMaps',
      summary: 'List maps',
      description: 'The maps of the account, newest first, without those in the recycle bin. Filters can be combined.',
      query: {
        ...paging,
        industry: 'Only maps of this industry, to the letter.',
        state: 'Only maps in this state.',
        archived: 'Only maps that are archived, or only those that are not.',
        deleted: 'True lists the recycle bin instead.',
      },
      answer: { status: 200, description: 'A page of maps.', schema: Page(MapRecord), headers: ['Link'] },
      examples: {
        filtered: {
          summary: 'The logistics maps of today',
          query: { industry: 'Logistics', state: 'current', limit: 2 },
        },
        recycleBin: { summary: 'The recycle bin', query: { deleted: true } },
      },
    },

    'POST /api/v1/maps': {
      operationId: 'createMap',
      summary: 'Create a map',
      description: 'Creates an empty map. The free plan allows 2 maps that are not deleted.',
      answer: { status: 201, description: 'The map, with its id.', schema: MapRecord, headers: ['ETag', 'Location'] },
      codes: ['map_cap_reached', 'id_taken'],
      idempotency: 'key',
      examples: {
        plain: {
          summary: 'A map, once',
          headers: { 'Idempotency-Key': 'order-to-delivery-2026-07-01' },
          body: {
            name: 'Order to delivery',
            industry: 'Logistics',
            description: 'From the order in the shop to the parcel at the door.',
          },
        },
        ownId: {
          summary: 'With an id of your own, as it should become',
          body: {
            id: futureMapId,
            name: 'Order to delivery, without the queue',
            industry: 'Logistics',
            state: 'future',
          },
        },
      },
    },

    'GET /api/v1/maps/:id': {
      operationId: 'getMap',
      summary: 'Get a map',
      description: 'The map with all of its stages and its analytics.',
      answer: { status: 200, description: 'The map.', schema: FullMap, headers: ['ETag'] },
      codes: ['map_deleted'],
      conditionalRead: true,
      examples: { plain: { summary: 'A map with its stages', path: order } },
    },

    'PATCH /api/v1/maps/:id': {
      operationId: 'updateMap',
      summary: 'Change a map',
      description: 'Changes what the body names and leaves the rest.',
      answer: { status: 200, description: 'The map as it is now.', schema: MapRecord, headers: ['ETag'] },
      codes: ['map_deleted'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: {
        rename: { summary: 'Another description', path: order, body: { description: 'From the shop to the door.' } },
      },
    },

    'POST /api/v1/maps/:id/delete': {
      operationId: 'deleteMap',
      summary: 'Delete a map',
      description: 'Puts the map into the recycle bin. Doing it again changes nothing.',
      answer: { status: 200, description: 'The map, deleted.', schema: MapRecord, headers: ['ETag'] },
      conditionalWrite: true,
      idempotency: 'key',
      examples: { plain: { summary: 'Into the recycle bin', path: { id: futureMapId } } },
    },

    'POST /api/v1/maps/:id/restore': {
      operationId: 'restoreMap',
      summary: 'Restore a map',
      description:
        'Takes the map out of the recycle bin. Doing it again changes nothing. The cap of the free plan counts.',
      answer: { status: 200, description: 'The map, restored.', schema: MapRecord, headers: ['ETag'] },
      codes: ['map_cap_reached'],
      conditionalWrite: true,
      idempotency: 'key',
      examples: { plain: { summary: 'Out of the recycle bin', path: { id: futureMapId } } },
    },
  },
};
