import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import type { Preview } from '../layout/preview.ts'
import { formatsFor } from '../layout/formats.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type DocumentInput = {
  title: string
  /** Trusted HTML that this server generated; blank if the administrators have not published the document. */
  content: SafeHtml
  /** When the document was last updated, or came into effect. */
  since: Date | null
  /** Whether it comes into effect then. */
  isFuture?: boolean
  preview: Preview
}

/** The page of a document by the administrators: the privacy policy or the terms of service. */
export function documentPage(
  frame: Frame,
  { title, content, since, isFuture = false, preview }: DocumentInput,
): string {
  const { locale } = frame
  const isBlank = content.toString().trim() === ''
  const body = html`<div class="column">
    <header class="column-head">
      <h1>${title}</h1>
      ${since && html`<p class="quiet">${markup(locale, isFuture ? 'document.from' : 'document.since', { day: formatsFor(locale).dayAndYear.format(since) })}</p>`}
    </header>
    ${isBlank ? html`<p class="lead">${message(locale, 'document.blank')}</p>` : html`<div class="prose document" dir="auto">${content}</div>`}
  </div>`
  return page(frame, { title, body, shape: 'wide', preview })
}
