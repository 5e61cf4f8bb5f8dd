import { html, isolate } from '../../../lib/html.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { textFor } from '../text.ts'

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
  const { pending } = textFor(frame.lang)
  const body = html`
    <p class="emblem">${icons.wait}</p>
    <h1>${pending.title}</h1>
    <p class="lead">${pending.text(isolate(frame.siteTitle))}</p>
    ${email && html`<p>${pending.sentTo(html`<strong>${isolate(email)}</strong>`)}</p>`}
    ${!confirmed && html`<p>${pending.unconfirmed} <a href="${paths.confirmation}">${pending.confirm}</a></p>`}
    ${
      reason &&
      html`<figure class="quote">
        <figcaption>${pending.reason}</figcaption>
        <blockquote dir="auto">${reason}</blockquote>
      </figure>`
    }
    <form method="post" action="${paths.signOut}">
      ${csrfField(frame.csrf)}
      <p class="actions"><button class="button button-line" type="submit">${pending.signOut}</button></p>
    </form>
  `
  return page(frame, { title: pending.title, body, shape: 'narrow' })
}
