import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { icons } from './icons.ts'
import { mark } from './mark.ts'
import type { Text } from '../text.ts'

/** The pages of a list: addresses, or null at its ends. */
export type Pages = { newer: string | null; older: string | null }

/** The ways to the pages before and behind this one. */
export function pager({ everybody: text }: Text, { newer, older }: Pages): SafeHtml {
  if (newer === null && older === null) return html``
  return html`<nav class="pager" aria-label="${text.pages}">
    ${newer !== null && html`<a class="button button-line" rel="prev" href="${newer}">${icons.back} ${text.newer}</a>`}
    ${older !== null && html`<a class="button button-line" rel="next" href="${older}">${text.older} ${icons.forward}</a>`}
  </nav>`
}

/** What stands where nothing is. */
export function emptyFeed(words: string): SafeHtml {
  return html`<div class="empty">
    ${mark}
    <p>${words}</p>
  </div>`
}

/** Where a page can be had as a feed. */
export function feedLink({ everybody: text }: Text, { href }: { href: string }): SafeHtml {
  return html`<a class="feed-link" href="${href}">${icons.feed} ${text.feed}</a>`
}
