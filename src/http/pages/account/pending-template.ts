import { html, isolateDirection } from '../../../lib/html/html.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { ownPageLinks } from './own-page-links.ts'

export type PendingInput = {
  /** The address to which the decision of the moderators is sent. */
  email?: string | null
  /** false: the user has not confirmed the e-mail address yet, either. */
  confirmed: boolean
  /** The reason that the user gave when requesting the account. */
  reason?: string | null
}

/** The page of a user who is logged in while their account is waiting for approval. */
export function pendingPage(frame: Frame, { email, confirmed, reason }: PendingInput): string {
  const { locale } = frame
  const body = html`
    <p class="emblem">${icons.wait}</p>
    <h1>${message(locale, 'pending.title')}</h1>
    <p class="lead">${markup(locale, 'pending.text', { site: isolateDirection(frame.siteTitle) })}</p>
    ${email && html`<p>${markup(locale, 'pending.sent-to', { address: html`<strong>${isolateDirection(email)}</strong>` })}</p>`}
    ${
      !confirmed &&
      html`<p>
        ${markup(locale, 'pending.unconfirmed', { link: (words) => html`<a href="${paths.confirmation}">${words}</a>` })}
      </p>`
    }
    ${
      reason &&
      html`<figure class="quote">
        <figcaption>${message(locale, 'pending.reason')}</figcaption>
        <blockquote dir="auto">${reason}</blockquote>
      </figure>`
    }
    ${ownPageLinks(frame)}
    <form method="post" action="${paths.signOut}">
      ${csrfField(frame.csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'pending.sign-out')}</button>
      </p>
    </form>
  `
  return page(frame, { title: message(locale, 'pending.title'), body, shape: 'narrow' })
}
