/** A name that a person chose, in its own text direction, and cut to leave room for other elements. */
export const WatchName = ({ children }: { children: string }) => (
  <span class={children.length > shortNameLettersMax ? 'watch-name watch-name-long' : 'watch-name'} dir="auto">
    {children}
  </span>
);

/** A name with more letters is smaller and takes three lines, since similar names often differ only at their end. */
const shortNameLettersMax = 26;
