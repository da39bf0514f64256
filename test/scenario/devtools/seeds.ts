/** Makes texts that occur nowhere else, and remembers them. */
export function seeds() {
  const made: string[] = [];
  return {
    made,
    text(place: string): string {
      const text = `Qx${made.length}z ${place} Grünwald`;
      made.push(text);
      return text;
    },
  };
}
