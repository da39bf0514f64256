/** Renders an entry for each problem code. The `type` of a problem is the URL of its entry. */
import { problemKinds, problemOf, type ProblemCode } from '../../../shared/protocol/problem.ts';
import { problemMeanings } from '../../../shared/protocol/meanings/problem-meanings.ts';
import { html, inlineMarkdown, type Markup } from './html.ts';

export function problemEntries(): Markup[] {
  return (Object.keys(problemKinds) as ProblemCode[]).map((code) => {
    const { status, title } = problemKinds[code];
    const { meaning, remedy, detail, errors, members } = problemMeanings[code];
    const problem = problemOf({ code, detail, ...(errors ? { errors } : {}), ...(members ? { members } : {}) });
    return html`<article class="entry" id="${code}">
      <h2><code>${code}</code> ${status}</h2>
      <p><strong>${title}.</strong> ${inlineMarkdown(meaning)} ${inlineMarkdown(remedy)}</p>
      <pre tabindex="0"><code>${JSON.stringify(problem, null, 2)}</code></pre>
    </article>`;
  });
}
