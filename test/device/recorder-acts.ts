/** Does the acts of the recorder's model on an engine, and reads what it shows. Also runs in the page of browser tests. */
import { firstValueFrom } from 'rxjs';
import { GembaError, type Gemba, type Recording } from '../../client/client.ts';
import type { Act, ModelStep, Shown } from './recorder-model.ts';

/** The recording that was finished last in this process. */
let lastFinished: Recording | undefined;

/** Resolves to the code of a refusal, or to null once the act is durable. */
export async function performAct(gemba: Gemba, mapId: string, act: Act): Promise<GembaError['code'] | null> {
  try {
    await perform(gemba, mapId, act);
    return null;
  } catch (error) {
    if (error instanceof GembaError) return error.code;
    throw error;
  }
}

async function perform(gemba: Gemba, mapId: string, act: Act): Promise<unknown> {
  if (act.kind === 'start') return gemba.startRecording({ mapId });
  if (act.kind === 'unfinish') return lastFinished?.unfinish();
  const recording = await firstValueFrom(gemba.recording$);
  if (!recording) throw new Error(`${act.kind} without a recording`);
  const at = (index: number) => ({ index, started_at: recording.steps[index]?.started_at ?? '' });
  const finish = (undoMs: number) => {
    lastFinished = recording;
    return { stages: 'keep' as const, undoMs };
  };
  switch (act.kind) {
    case 'step':
      return recording.step({ stage_name: act.name, ...(act.interruption ? { interruption: true } : {}) });
    case 'note':
      return recording.note(act.text);
    case 'edit':
      return recording.edit(at(act.index), { stage_name: act.name, notes: act.notes });
    case 'split':
      return recording.split(at(act.index), { at_secs: 0.001, stage_name: act.name });
    case 'join':
      return recording.join(at(act.index));
    case 'border':
      return recording.moveBorder(at(act.index), { secs: act.ms / 1000 });
    case 'pause':
    case 'resume':
    case 'undo':
      return recording[act.kind]();
    case 'cycle':
      return recording.nextCycle({ stage_name: act.name }, finish(act.undoMs));
    case 'finish':
      return recording.finish(finish(act.undoMs));
  }
}

export async function shownBy(gemba: Gemba, mapId: string): Promise<Shown> {
  const runs: ModelStep[][] = [];
  for (const { id } of (await firstValueFrom(gemba.runs$(mapId))).toReversed()) {
    const run = await firstValueFrom(gemba.run$(id));
    runs.push((run?.steps ?? []).map(({ stage_name, notes }) => [stage_name, notes]));
  }
  const recording = await firstValueFrom(gemba.recording$);
  const steps = recording?.steps.map(({ stage_name, notes }): ModelStep => [stage_name, notes]);
  return { runs, under: steps ? { steps, isPaused: typeof recording?.paused_at === 'string' } : null };
}

/** Finishes what is under way, and moves each finish that could still be undone into the outbox. */
export async function finishAll(gemba: Gemba, mapId: string): Promise<void> {
  const recording = await firstValueFrom(gemba.recording$);
  if (recording && recording.steps.length > 0) await recording.finish({ stages: 'keep' });
  else if (recording) await recording.discard();
  await (await gemba.startRecording({ mapId })).discard();
}
