import { expect, test } from 'vitest';
import { errorsIn } from './read-file.ts';

const fileOf = (columns: string, ...rows: string[]) =>
  [`map_name,stage_name,duration_secs,${columns}`, ...rows.map((row) => `M,A,3600,${row}`)].join('\n');
const at = (day: number, time: string) => `2026-07-0${day}T${time}Z`;

test('[IMPORT-28] two days whose cases begin at 1 are an error for each case, with both lines and the column that splits them', async () => {
  const days = [1, 2].flatMap((day) => [
    `1,${at(day, '08:00:00')}`,
    `1,${at(day, '09:00:00')}`,
    `2,${at(day, '10:00:00')}`,
  ]);
  expect(await errorsIn(fileOf('Case:Concept:Name,started_at', ...days))).toEqual([
    '5 started_at: is 22 hours after the end of the step in line 3, which has the same Case:Concept:Name; give another Case:Concept:Name to each recording or, if they are one, number its steps in a column order',
    '7 started_at: is 23 hours after the end of the step in line 4, which has the same Case:Concept:Name; give another Case:Concept:Name to each recording or, if they are one, number its steps in a column order',
  ]);
  expect(await errorsIn(fileOf('case_id,ended_at', `1,${at(1, '08:00:00')}`, `1,${at(2, '08:00:00')}`))).toEqual([
    expect.stringMatching(/^3 ended_at: is 23 hours after the end of the step in line 2, /),
  ]);
});

test('[IMPORT-28] the distance is from the latest end to the start, and 8 hours are the least', async () => {
  const gaps = async (...rows: string[]) => errorsIn(fileOf('case_id,started_at', ...rows.map((row) => `1,${row}`)));
  expect(await gaps(at(1, '08:00:00'), at(1, '16:59:59'))).toEqual([]);
  expect(await gaps(at(1, '08:00:00'), at(1, '17:00:00'))).toEqual([
    expect.stringMatching(/^3 started_at: is 8 hours /),
  ]);
  // Steps without a start follow on the one before them.
  expect(await gaps(at(1, '08:00:00'), '', at(1, '17:00:00'))).toEqual([]);
  expect(await gaps('', at(1, '08:00:00'), at(1, '09:00:00'))).toEqual([]);
  const overlapping = `map_name,stage_name,duration_secs,case_id,started_at
M,A,36000,1,${at(1, '06:00:00')}
M,B,60,1,${at(1, '06:01:00')}
M,C,60,1,${at(1, '17:00:00')}`;
  expect(await errorsIn(overlapping)).toEqual([]);
});

test('[IMPORT-28] steps that are numbered, or have a recording session, are of one recording whatever their distance', async () => {
  const [first, second] = [at(1, '08:00:00'), at(3, '08:00:00')];
  expect(await errorsIn(fileOf('case_id,started_at,order', `1,${first},1`, `1,${second},2`))).toEqual([]);
  expect(await errorsIn(fileOf('recording_session_id,started_at', `s,${first}`, `s,${second}`))).toEqual([]);
  expect(await errorsIn(fileOf('case_id,started_at', `1,${first}`, `2,${second}`))).toEqual([]);
});
