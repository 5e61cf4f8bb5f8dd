import { html, isolate } from '../../../lib/html.ts'
import { hiddenFields } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type ConsentDoneInput = {
  appName: string
  decision: 'allow' | 'deny'
  /** The redirect URI of the app. The page's policy must name its origin in `form-action`. */
  postTo: string
  answer: Readonly<Record<string, string>>
}

/** Sends the answer to the app for `response_mode=form_post`: by a button, since the page has no script. */
export function consentDonePage(frame: Frame, { appName, decision, postTo, answer }: ConsentDoneInput): string {
  const { locale } = frame
  const app = isolate(appName)
  const allowed = decision === 'allow'
  const title = allowed ? message(locale, 'consent-done.allowed') : message(locale, 'consent-done.denied')
  const body = html`
    <p class="emblem">${allowed ? icons.done : icons.forward}</p>
    <h1>${title}</h1>
    <p class="lead">
      ${allowed ? markup(locale, 'consent-done.allowed-text', { app }) : markup(locale, 'consent-done.denied-text', { app })}
    </p>
    <form method="post" action="${postTo}">
      ${hiddenFields(answer)}
      <p class="actions"><button class="button" type="submit">${markup(locale, 'consent-done.go', { app })}</button></p>
    </form>
    <p class="quiet">${message(locale, 'consent-done.by-hand')}</p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
