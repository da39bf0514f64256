/**
 * Runs in the demo's process and sends SIGINT when the demo prints the text of `GEMBA_STOP_AT`, however late the output
 * is read.
 */
const stopAt = process.env['GEMBA_STOP_AT'] ?? '';
const write = process.stdout.write.bind(process.stdout) as (...given: unknown[]) => boolean;
process.stdout.write = (...given: unknown[]): boolean => {
  if (String(given[0]).includes(stopAt)) process.kill(process.pid, 'SIGINT');
  return write(...given);
};
