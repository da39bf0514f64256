/** A name that a person chose, in its own text direction, and cut to leave room for other elements. */
export const WatchName = ({ children }: { children: string }) => (
  <span class="watch-name" dir="auto">
    {children}
  </span>
);
