/** Tells whether a JSON value has at most `valuesMax` values, counting itself and every value inside it. */
export function hasAtMostValues(value: unknown, valuesMax: number): boolean {
  const left = [value];
  let count = 0;
  for (let one = left.pop(); ; one = left.pop()) {
    if (++count + left.length > valuesMax) return false;
    if (Array.isArray(one)) {
      if (left.length + one.length > valuesMax) return false;
      for (let index = 0; index < one.length; index++) left.push(one[index]);
    } else if (typeof one === 'object' && one !== null) {
      for (const key in one) {
        if (left.length > valuesMax) return false;
        left.push((one as Record<string, unknown>)[key]);
      }
    }
    if (left.length === 0) return true;
  }
}
