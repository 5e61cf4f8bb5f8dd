import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { icons } from './icons.ts'
import { mark } from './mark.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** The URLs of the neighbouring pages of a list; null at its ends. */
export type Pages = { newer: string | null; older: string | null }

/** The links to the newer and the older page. `entries`: the list has entries other than posts. */
export function pager(locale: Locale, { newer, older }: Pages, { entries = false } = {}): SafeHtml {
  if (newer === null && older === null) return html``
  return html`<nav class="pager" aria-label="${message(locale, 'pager.label')}">
    ${newer !== null && html`<a class="button button-line" rel="prev" href="${newer}">${icons.back} ${message(locale, entries ? 'pager.newer-entries' : 'pager.newer')}</a>`}
    ${older !== null && html`<a class="button button-line" rel="next" href="${older}">${message(locale, entries ? 'pager.older-entries' : 'pager.older')} ${icons.forward}</a>`}
  </nav>`
}

/** The placeholder of an empty list. */
export function emptyFeed(text: string): SafeHtml {
  return html`<div class="empty">
    ${mark}
    <p>${text}</p>
  </div>`
}

/** The link to the RSS feed of a page. */
export function feedLink(locale: Locale, { href }: { href: string }): SafeHtml {
  return html`<a class="feed-link" href="${href}">${icons.feed} ${message(locale, 'pager.feed')}</a>`
}
