/** The example of docs/react.md in the page. */
import { until } from './harness.ts';

export async function guideExample() {
  const container = document.createElement('div');
  container.id = 'root';
  document.body.append(container);
  await import('virtual:guide-example');
  const shown = (selector: string) => [...container.querySelectorAll(selector)].map(({ textContent }) => textContent);
  await until(() => shown('button').length === 1);
  for (const count of [1, 2]) {
    container.querySelector('button')?.click();
    await until(() => shown('li').length === count);
  }
  return { maps: shown('li'), status: shown('[role=status]') };
}
