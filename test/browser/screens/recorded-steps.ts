/** The recordings of the pictures. */
export const stepsOf = (name: string) =>
  (
    [
      ['Load', 42.5, 'incidental'],
      ['Press', 100, 'valuable'],
      ['Wait for the crane', 310, 'waste'],
      ['Inspect', 65, 'incidental'],
    ] as const
  ).map(([stage_name, duration_secs, work_type], index) => ({
    stage_name,
    duration_secs: duration_secs + name.length,
    work_type,
    order: index + 1,
  }));

/** Five runs of one process, with steps that take too long or are missing. */
export const morningRuns = [
  { at: '06:12', secs: [48, 104, 290, 66] },
  { at: '06:41', secs: [40, 97, 412, 58] },
  { at: '07:15', secs: [55, 118, 35, 61], note: 'Crane was free at once.' },
  { at: '07:48', secs: [46, 231, 265, 90], note: 'The die stuck. Oiled it, pressed again.', estimated: true },
  { at: '08:20', secs: [43, 101, 190, 64] },
].map(({ at, secs, note, estimated }) => ({
  startedAt: `2026-11-20T${at}:00.000Z`,
  steps: stepsOf('').map((step, index) => ({
    ...step,
    duration_secs: secs[index]!,
    ...(index === 1 && note ? { notes: note, duration_estimated: estimated ?? false } : {}),
  })),
}));
