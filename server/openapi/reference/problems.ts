/** Renders an entry for each problem code. The `type` of a problem is the URL of its entry. */
import { fieldsOf } from '../../../shared/domain/fields-of.ts';
import { allProblemKinds, problemOfAnyCode } from '../../../shared/protocol/problems/all-problems.ts';
import { problemMeanings } from '../../../shared/protocol/meanings/problem-meanings.ts';
import { html, inlineMarkdown, type Markup } from './html.ts';

export function problemEntries(): Markup[] {
  return fieldsOf(allProblemKinds).map((code) => {
    const { status, title } = allProblemKinds[code];
    const { meaning, remedy, detail, errors, members } = problemMeanings[code];
    const problem = problemOfAnyCode({ code, detail, ...(errors ? { errors } : {}), ...(members ? { members } : {}) });
    return html`<article class="entry" id="${code}">
      <h2><code>${code}</code> ${status}</h2>
      <p><strong>${title}.</strong> ${inlineMarkdown(meaning)} ${inlineMarkdown(remedy)}</p>
      <pre tabindex="0"><code>${JSON.stringify(problem, null, 2)}</code></pre>
    </article>`;
  });
}
