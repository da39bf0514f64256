/** Progress: a bar on a terminal, a few plain lines elsewhere. */
import { SingleBar } from 'cli-progress';

export interface DemoProgress {
  at(done: number, total: number): void;
  /** Prints a line on stderr without breaking the bar. */
  tell(line: string): void;
  end(): void;
}

export function openProgress(what: string, total: number): DemoProgress {
  return process.stdout.isTTY ? createBarProgress(what, total) : createLineProgress(what);
}

let openBar: SingleBar | undefined;

/** Ends an open bar and restores the terminal's cursor. */
export function closeProgress(): void {
  openBar?.stop();
  openBar = undefined;
}

function createBarProgress(what: string, total: number): DemoProgress {
  const bar = new SingleBar({
    format: `${what.padEnd(10)} {bar} {value}/{total}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // The demo handles signals itself.
    gracefulExit: false,
  });
  let last = { done: 0, total };
  const start = () => {
    bar.start(last.total, last.done);
    openBar = bar;
  };
  start();
  return {
    at(done, of) {
      last = { done, total: of };
      bar.setTotal(of);
      bar.update(done);
    },
    tell(line) {
      bar.stop();
      console.error(line);
      start();
    },
    end: closeProgress,
  };
}

/** Prints one line a quarter. */
function createLineProgress(what: string): DemoProgress {
  let quarters = 0;
  return {
    at(done, total) {
      const reached = total === 0 ? 0 : Math.floor((4 * done) / total);
      if (reached <= quarters) return;
      quarters = reached;
      console.log(`${what} ${done}/${total}`);
    },
    tell: (line) => console.error(line),
    end() {},
  };
}
