import { spokenTimes } from '../text/spoken-times.ts';

/** Shows a text with times. A screen reader says the word "centiminutes" instead of "cmin". */
export function TimeText({ children }: { children: string }) {
  const spoken = spokenTimes(children);
  if (spoken === children) return <>{children}</>;
  return (
    <>
      <span aria-hidden="true">{children}</span>
      <span class="visually-hidden">{spoken}</span>
    </>
  );
}
