import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import type { Preview } from '../layout/preview.ts'
import { formatsFor } from '../layout/formats.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type DocumentInput = {
  title: string
  /** Markup of our own making; blank where the owner has said nothing. */
  content: SafeHtml
  /** Since when it is as it is, or holds. */
  since: Date | null
  preview: Preview
}

/** A longer text of the owner: what happens to data of people, what holds between them and the server. */
export function documentPage(frame: Frame, { title, content, since, preview }: DocumentInput): string {
  const { locale } = frame
  const isBlank = content.toString().trim() === ''
  const body = html`<div class="column">
    <header class="column-head">
      <h1>${title}</h1>
      ${since && html`<p class="quiet">${markup(locale, 'document.since', { day: formatsFor(locale).dayAndYear.format(since) })}</p>`}
    </header>
    ${isBlank ? html`<p class="lead">${message(locale, 'document.blank')}</p>` : html`<div class="prose document" dir="auto">${content}</div>`}
  </div>`
  return page(frame, { title, body, shape: 'wide', preview })
}
