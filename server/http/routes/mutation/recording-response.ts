/**
 * Builds the response to a recording from the row of the run alone, so that a repeated request gets the same response.
 */
import { toFullMap, withoutStages } from '../../../../shared/domain/map.ts';
import { runFieldsOfSteps, stagesFromSteps } from '../../../../shared/domain/run.ts';
import type { FullMap } from '../../../../shared/schema/map.ts';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import type { RunRow } from '../../../store/rows/documents.ts';
import { replayedHeader, type JsonResponse } from '../../../core/reply.ts';

export function responseFromRun(row: RunRow, { replayed }: { replayed: boolean }): JsonResponse {
  return {
    status: row.made_map ? 201 : 200,
    headers: {
      ...(row.made_map ? { Location: `/api/v1/maps/${row.map_id}` } : {}),
      ...(replayed ? replayedHeader : {}),
    },
    body: row.doc ? recordingResponseBody(row, row.doc) : responseBodyWithoutRun(row),
  };
}

interface RecordingResponseBody {
  /** The map in its state after the recording, without later changes. */
  map: FullMap;
  run: RunDoc;
  recording_session_id: string;
}

function recordingResponseBody({ map_id, map_then, stage_ids }: RunRow, doc: RunDoc): RecordingResponseBody {
  const run = runAsRecorded(doc, map_then.version);
  const stages = map_then.stages ?? stagesFromSteps(map_id, run.steps, stage_ids);
  return { map: toFullMap({ ...map_then, stages }), run, recording_session_id: run.recording_session_id };
}

/**
 * Returns the run as the recording made it, without later changes. A recording writes its map and then its run, so the
 * run's first version is the map's version + 1.
 */
function runAsRecorded(doc: RunDoc, mapVersion: number): RunDoc {
  const { name: _name, tags: _tags, note: _note, excluded: _excluded, revision: _revision, ...run } = doc;
  const { recorded_steps, ...recorded } = run;
  return { ...recorded, ...runFieldsOfSteps(recorded_steps ?? run.steps), version: mapVersion + 1 };
}

/** Builds the response after the run was deleted. The steps are gone, so the run has only its ids and its number. */
function responseBodyWithoutRun({ id, map_id, number, map_then, recording_session_id }: RunRow): object {
  return {
    map: withoutStages(map_then),
    run: { id, map_id, number, deleted: true, recording_session_id },
    recording_session_id,
  };
}
