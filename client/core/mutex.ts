/**
 * Returns a function that runs async work, one call at a time in the order of the calls. A failed call does not stop
 * later ones.
 */
export function mutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}
