import { html, isolate } from '../../lib/html.ts'
import { hiddenFields } from './form.ts'
import { icons } from './icons.ts'
import { page } from './layout.ts'
import type { Frame } from './layout.ts'
import { textFor } from './text.ts'

export type ConsentDoneInput = {
  appName: string
  decision: 'allow' | 'deny'
  /** The address of the app, with the answer in it already. */
  redirectTo: string
  /**
   * For `response_mode=form_post`: the answer, sent by a button instead. Such a page needs the app's origin in the
   * `form-action` of its own policy.
   */
  post?: Readonly<Record<string, string>> | null
}

/** Between consent and app: goes on by itself, since the policy of our forms allows no redirect to other origins. */
export function consentDonePage(frame: Frame, { appName, decision, redirectTo, post }: ConsentDoneInput): string {
  const { consentDone } = textFor(frame.lang)
  const app = isolate(appName)
  const allowed = decision === 'allow'
  const title = allowed ? consentDone.allowed : consentDone.denied
  const go = consentDone.go(app)
  const body = html`
    <p class="emblem">${allowed ? icons.done : icons.forward}</p>
    <h1>${title}</h1>
    <p class="lead">${allowed ? consentDone.allowedText(app) : consentDone.deniedText(app)}</p>
    ${
      post
        ? html`<form method="post" action="${redirectTo}">
            ${hiddenFields(post)}
            <p class="actions"><button class="button" type="submit">${go}</button></p>
          </form>`
        : html`<p class="actions"><a class="button" href="${redirectTo}" rel="noreferrer">${go}</a></p>`
    }
    <p class="quiet">${post ? consentDone.byHand : consentDone.stuck}</p>
  `
  return page(frame, { title, body, shape: 'narrow', refreshTo: post ? null : redirectTo })
}
