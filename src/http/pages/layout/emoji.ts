import { html, raw } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { EMOJI_CODE } from '../../../lib/text/emojiCodes.ts'

/** A custom emoji: `shortcode` without colons, and the address of its picture. */
export type Emoji = { shortcode: string; url: string }

const TAG = /(<(?:"[^"]*"|'[^']*'|[^'">])*>)/

/** Plain text with its `:shortcode:`s as pictures, escaped. */
export function emojify(text: string, emojis: readonly Emoji[] = []): SafeHtml {
  return html`${pieces(text, emojis)}`
}

/** Clean markup with the `:shortcode:`s of its text, never those inside a tag, as pictures. */
export function emojifyMarkup(markup: SafeHtml, emojis: readonly Emoji[] = []): SafeHtml {
  if (emojis.length === 0) return markup
  const parts = markup.toString().split(TAG)
  return html`${parts.map((part, index) => (index % 2 === 1 ? raw(part) : pieces(part, emojis, raw)))}`
}

/** Cuts text at the known codes; what lies between goes through `keep`. */
function pieces(text: string, emojis: readonly Emoji[], keep: (text: string) => SafeHtml | string = String) {
  const found: (SafeHtml | string)[] = []
  let from = 0
  for (const match of text.matchAll(EMOJI_CODE)) {
    const emoji = emojis.find(({ shortcode }) => shortcode === match[1])
    if (!emoji) continue
    const name = match[0]
    found.push(keep(text.slice(from, match.index)))
    // Readers of feeds don't have our stylesheet, and would show it as large as it is.
    found.push(html`<img class="emoji" src="${emoji.url}" alt="${name}" title="${name}" height="20" loading="lazy" />`)
    from = match.index + name.length
  }
  found.push(keep(text.slice(from)))
  return found
}
