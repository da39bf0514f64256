/** Each problem code, with the anchor that its `type` leads to. */
import { problemKinds, problemOf, type ProblemCode } from '../../../shared/protocol/problem.ts';
import { problemMeanings } from '../problem-meanings.ts';
import { jsonBlock } from './examples.ts';
import { html, inline, type Markup } from './html.ts';

export function problemSections(): Markup[] {
  return (Object.keys(problemKinds) as ProblemCode[]).map((code) => {
    const { status, title } = problemKinds[code];
    const { meaning, remedy, detail, errors, members } = problemMeanings[code];
    const problem = problemOf({ code, detail, ...(errors ? { errors } : {}), ...(members ? { members } : {}) });
    return html`<article class="problem" id="${code}">
      <h3>
        <a class="anchor" href="#${code}"><code>${code}</code></a>
        <span class="status s${String(status)[0]}">${status}</span>
      </h3>
      <p><strong>${title}.</strong> ${inline(meaning)} ${inline(remedy)}</p>
      <details>
        <summary>Example</summary>
        ${jsonBlock(problem)}
      </details>
    </article>`;
  });
}
