import { html, isolateDirection } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { markup, message } from '../../../lib/messages/message.ts'

/**
 * Shows the authorization code for an app without a redirect URI (`urn:ietf:wg:oauth:2.0:oob`), for the user to copy.
 */
export function nativeCodePage(frame: Frame, { code, appName }: { code: string; appName?: string | null }): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'native-code.title')}</h1>
    <p class="lead">
      ${appName ? markup(locale, 'native-code.text', { app: isolateDirection(appName) }) : message(locale, 'native-code.text-plain')}
    </p>
    <div class="field">
      <label class="unseen" for="code">${message(locale, 'native-code.code')}</label>
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
      <p class="hint" id="code-hint">${message(locale, 'native-code.hint')}</p>
    </div>
  `
  return page(frame, { title: message(locale, 'native-code.title'), body, shape: 'narrow' })
}
