import { html, isolateDirection } from '../../../lib/html/html.ts'
import { hiddenFields } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type ConsentDoneInput = {
  appName: string
  decision: 'allow' | 'deny'
  /**
   * The redirect URI of the app, with the response. The content security policy of the page must name its origin in
   * `form-action`. null: the app has none.
   */
  postTo: { readonly address: string; readonly fields: Readonly<Record<string, string>> } | null
}

/**
 * Shows the decision of the user, and posts the response to the app for `response_mode=form_post`. The user presses a
 * button, since pages have no scripts.
 */
export function consentDonePage(frame: Frame, { appName, decision, postTo }: ConsentDoneInput): string {
  const { locale } = frame
  const app = isolateDirection(appName)
  const allowed = decision === 'allow'
  const title = allowed ? message(locale, 'consent-done.allowed') : message(locale, 'consent-done.denied')
  const body = html`
    <p class="emblem">${allowed ? icons.done : icons.forward}</p>
    <h1>${title}</h1>
    <p class="lead">
      ${allowed ? markup(locale, 'consent-done.allowed-text', { app }) : markup(locale, 'consent-done.denied-text', { app })}
    </p>
    ${
      postTo &&
      html`<form method="post" action="${postTo.address}">
          ${hiddenFields(postTo.fields)}
          <p class="actions">
            <button class="button" type="submit">${markup(locale, 'consent-done.go', { app })}</button>
          </p>
        </form>
        <p class="quiet">${message(locale, 'consent-done.by-hand')}</p>`
    }
  `
  return page(frame, { title, body, shape: 'narrow' })
}
