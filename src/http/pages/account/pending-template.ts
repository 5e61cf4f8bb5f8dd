import { html, isolate } from '../../../lib/html.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type PendingInput = {
  /** Where the answer goes. */
  email?: string | null
  /** False: the address itself waits for confirmation too. */
  confirmed: boolean
  /** What the person wrote when asking to join. */
  reason?: string | null
}

/** Signed in, but a moderator has not decided yet. */
export function pendingPage(frame: Frame, { email, confirmed, reason }: PendingInput): string {
  const { locale } = frame
  const body = html`
    <p class="emblem">${icons.wait}</p>
    <h1>${message(locale, 'pending.title')}</h1>
    <p class="lead">${markup(locale, 'pending.text', { site: isolate(frame.siteTitle) })}</p>
    ${email && html`<p>${markup(locale, 'pending.sent-to', { address: html`<strong>${isolate(email)}</strong>` })}</p>`}
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
    <form method="post" action="${paths.signOut}">
      ${csrfField(frame.csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'pending.sign-out')}</button>
      </p>
    </form>
  `
  return page(frame, { title: message(locale, 'pending.title'), body, shape: 'narrow' })
}
