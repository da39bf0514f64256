/** One mutex for each key, within this process. Work under the same key runs one after another, other work in parallel. */
type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
