import { Type } from 'typebox';
import { RecordingResult, RecordingResultWithoutRun } from '../../../shared/schema/answers.ts';
import { firstSession, orderMapId, secondSession } from '../example-ids.ts';
import type { Resource } from '../notes.ts';

const idempotent =
  'The same session id with the same target and steps gives the first answer again and changes nothing, for ever, also when the copies arrive at once. A refused recording uses up nothing.';

const schema = Type.Union([RecordingResult, RecordingResultWithoutRun]);

export const recordings: Resource = {
  tag: 'Recordings',
  description:
    'A recording is what a device observed: its steps, in order. They become the stages of a map, and the recording as a whole becomes a run.',
  operations: {
    'POST /api/v1/maps/:id/recording': {
      operationId: 'uploadRecording',
      summary: 'Upload a recording of a map',
      description: `Replaces all stages of the map with the steps of the recording, which becomes the next run of the map. ${idempotent}`,
      answer: { status: 200, description: 'The map and the run.', schema },
      codes: ['map_deleted', 'recording_session_mismatch'],
      idempotency: 'session',
      examples: {
        plain: {
          summary: 'A recording with notes',
          path: { id: orderMapId },
          body: {
            recording_session_id: firstSession,
            started_at: '2026-07-01T07:42:10.000Z',
            steps: [
              {
                stage_name: 'Pick',
                order: 1,
                duration_secs: 1260,
                work_type: 'valuable',
                notes: 'Aisle 4 was blocked.',
              },
              { stage_name: 'Print the order', order: 2, duration_secs: 95.5, work_type: 'incidental' },
              { stage_name: 'Pack', order: 3, duration_secs: 640, work_type: 'valuable', photos: ['bench-3.jpg'] },
            ],
          },
        },
        header: {
          summary: 'The session id in the header',
          path: { id: orderMapId },
          headers: { 'Idempotency-Key': secondSession },
          body: {
            steps: [
              { stage_name: 'Pick', order: 1, duration_secs: 1030, work_type: 'valuable' },
              { stage_name: 'Print the order', order: 2, duration_secs: 102, work_type: 'incidental' },
              { stage_name: 'Pack', order: 3, duration_secs: 580, duration_estimated: true, work_type: 'valuable' },
            ],
          },
        },
      },
    },

    'POST /api/v1/recording/new': {
      operationId: 'recordNewMap',
      summary: 'Upload a recording as a new map',
      description: `Creates a map whose stages are the steps of the recording, and its first run. The cap of the free plan counts. ${idempotent}`,
      answer: { status: 201, description: 'The map and the run.', schema, headers: ['Location'] },
      codes: ['map_cap_reached', 'recording_session_mismatch'],
      idempotency: 'session',
      examples: {
        plain: {
          summary: 'A walk through the returns desk',
          body: {
            name: 'Returns',
            recording_session_id: 'walk-2026-07-01-returns',
            steps: [
              { stage_name: 'Open the parcel', order: 1, duration_secs: 80, work_type: 'incidental' },
              { stage_name: 'Inspect', order: 2, duration_secs: 240, work_type: 'valuable', notes: '' },
            ],
          },
        },
      },
    },
  },
};
