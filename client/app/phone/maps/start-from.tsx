/** Lets a person choose what a new map starts from: no stages, the stages of another map, or a built-in sample. */
import type { StageReplacement } from '../../../client.ts';
import { useId, useState } from 'preact/hooks';
import { firstValueFrom } from 'rxjs';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { sampleMaps, startFromTexts } from '../../text/phone-maps.ts';
import { copiedStagesOf } from './map-copy.ts';
import { findMapsByName } from '../../recorder/map-letters.ts';
import { Field } from '../../ui/field.tsx';
import { secsPerHour } from '../../text/format.ts';

/** With at least this many maps there is a search field, which is faster than scrolling. */
const searchableMapsMin = 20;

export interface StartFromFieldProps {
  /** The field calls this when a person chooses an option. `loadStages` loads the stages that a new map starts from. */
  onChoice(loadStages: () => Promise<StageReplacement[]>): void;
}

export function StartFromField({ onChoice }: StartFromFieldProps) {
  const gemba = useGemba();
  const id = useId();
  const maps = useValue(gemba.maps$) ?? [];
  const [choice, setChoice] = useState('');
  const [sought, setSought] = useState('');
  const found = findMapsByName(maps, sought);
  const chosen = maps.find((map) => map.id === choice);
  const offered = chosen && !found.includes(chosen) ? [chosen, ...found] : found;
  const choose = (value: string) => {
    setChoice(value);
    const sample = sampleMaps.find((known) => known.id === value);
    onChoice(async () => {
      if (value === '') return [];
      if (sample) return sample.stages.map(stageFromSample);
      return copiedStagesOf((await firstValueFrom(gemba.map$(value)))?.stages ?? []);
    });
  };
  // Enter in the search field would otherwise submit the form around it and create the map.
  const ignoreEnter = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault();
  return (
    <div class="stack">
      {maps.length >= searchableMapsMin && (
        <div onKeyDown={ignoreEnter}>
          <Field label={startFromTexts.search} autocomplete="off" value={sought} onValue={setSought} />
        </div>
      )}
      <div class="field">
        <label for={id}>{startFromTexts.label}</label>
        <select id={id} value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{startFromTexts.empty}</option>
          <optgroup label={startFromTexts.samples}>
            {sampleMaps.map((sample) => (
              <option key={sample.id} value={sample.id}>
                {sample.name}
              </option>
            ))}
          </optgroup>
          {offered.length > 0 && (
            <optgroup label={startFromTexts.maps}>
              {offered.map((map) => (
                <option key={map.id} value={map.id}>
                  {map.name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
    </div>
  );
}

const stageFromSample = ({ name, secs, waitSecs, type }: (typeof sampleMaps)[number]['stages'][number]) => ({
  stage: name,
  cycle_time_hrs: secs / secsPerHour,
  wait_time_hrs: waitSecs / secsPerHour,
  work_type: type,
});
