/** Runs the given work one at a time, in the order of the calls. Work that fails does not stop the work after it. */
export function mutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}
