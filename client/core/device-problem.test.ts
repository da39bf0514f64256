import { expect, test } from 'vitest';
import { problemKinds } from '../../shared/protocol/problem.ts';
import { deviceProblemKinds } from './device-problem.ts';

test('a problem that a device finds itself has the status and the title that the server gives it', () => {
  expect(problemKinds).toMatchObject(deviceProblemKinds);
});
