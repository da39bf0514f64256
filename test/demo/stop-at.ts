/** Beside the demo, in its process: SIGINT as it prints what `GEMBA_STOP_AT` says, however late anybody reads that. */
const stopAt = process.env['GEMBA_STOP_AT'] ?? '';
const write = process.stdout.write.bind(process.stdout) as (...given: unknown[]) => boolean;
process.stdout.write = (...given: unknown[]): boolean => {
  if (String(given[0]).includes(stopAt)) process.kill(process.pid, 'SIGINT');
  return write(...given);
};
