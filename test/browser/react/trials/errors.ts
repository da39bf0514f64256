/** Errors and the boundaries that they go to. */
import { createElement } from 'react';
import { defer, of, Subject, throwError } from 'rxjs';
import { GembaProvider, useGemba, useMaps, useObservable } from '../../../../client/entries/react.ts';
import { mount, nextTask, openMemoryEngine, until, untilText } from './harness.ts';

/** An observable that fails at once, and one that fails after its first value; each works at the second attempt. */
export async function failedObservables() {
  const outcomes: string[][] = [];
  const failing = new Subject<string>();
  for (const failure of [throwError(() => new Error('no value')), failing]) {
    let attempts = 0;
    const source$ = defer(() => (attempts++ === 0 ? failure : of('works')));
    const Reader = () => useObservable(source$, 'waits');
    const mounted = mount(createElement(Reader));
    const shown: string[] = [];
    if (failure === failing) {
      await untilText(mounted, 'waits');
      failing.next('one');
      await untilText(mounted, 'one');
      failing.error(new Error('no more values'));
    }
    await until(() => mounted.errors.length > 0);
    shown.push(mounted.container.textContent ?? '');
    // A person taps in a later task.
    await nextTask();
    mounted.container.querySelector('button')?.click();
    await untilText(mounted, 'works');
    shown.push(mounted.container.textContent ?? '', `attempts: ${attempts}`, `errors: ${mounted.errors.length}`);
    mounted.root.unmount();
    outcomes.push(shown);
  }
  return outcomes;
}

export async function withoutProvider() {
  const Verb = () => String(useGemba());
  const List = () => String(useMaps()?.length);
  const mounted = [Verb, List].map((View) => mount(createElement(View)));
  await until(() => mounted.every(({ errors }) => errors.length > 0));
  for (const { root } of mounted) root.unmount();
  return mounted.flatMap(({ errors }) => errors);
}

export async function fallbackWithoutEngine() {
  const gemba = await openMemoryEngine();
  const List = () => `maps: ${useMaps()?.length}`;
  const provide = (given: typeof gemba | undefined) =>
    createElement(GembaProvider, { gemba: given, fallback: 'opens' }, createElement(List));
  const mounted = mount(provide(undefined));
  await untilText(mounted, 'opens');
  mounted.show(provide(gemba));
  await untilText(mounted, 'maps: 0');
  mounted.show(createElement(GembaProvider, { gemba: undefined }, createElement(List)));
  await untilText(mounted, '');
  mounted.root.unmount();
  await gemba.close();
  return mounted.errors;
}
