import { html, isolate } from '../../../lib/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { textFor } from '../text.ts'

/** Shows the code of an app that has no address to return to, ready to be selected and copied. */
export function nativeCodePage(frame: Frame, { code, appName }: { code: string; appName?: string | null }): string {
  const { nativeCode } = textFor(frame.lang)
  const body = html`
    <h1>${nativeCode.title}</h1>
    <p class="lead">${nativeCode.text(appName ? isolate(appName) : html`${nativeCode.theApp}`)}</p>
    <div class="field">
      <label class="unseen" for="code">${nativeCode.code}</label>
      <textarea
        class="input code"
        id="code"
        rows="2"
        readonly
        spellcheck="false"
        dir="ltr"
        aria-describedby="code-hint"
      >
${code}</textarea>
      <p class="hint" id="code-hint">${nativeCode.hint}</p>
    </div>
  `
  return page(frame, { title: nativeCode.title, body, shape: 'narrow' })
}
