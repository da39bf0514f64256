/** A name of a person's choice: in its own direction, and short enough to leave room for other elements. */
export const WatchName = ({ children }: { children: string }) => (
  <span class="watch-name" dir="auto">
    {children}
  </span>
);
