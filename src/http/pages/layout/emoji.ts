import { html, raw } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { EMOJI_SHORTCODE } from '../../../lib/text/entities/emoji-shortcodes.ts'

/** A custom emoji: its `shortcode` without colons, and the URL of its image. */
export type Emoji = { shortcode: string; url: string }

const TAG = /(<(?:"[^"]*"|'[^']*'|[^'">])*>)/

/** Returns plain text as HTML, escaped and with custom emojis as images. */
export function emojify(text: string, emojis: readonly Emoji[] = []): SafeHtml {
  return html`${replaceShortcodes(text, emojis)}`
}

/** Returns sanitised HTML with custom emojis as images. Replaces shortcodes in text only, never inside tags. */
export function emojifyMarkup(markup: SafeHtml, emojis: readonly Emoji[] = []): SafeHtml {
  if (emojis.length === 0) return markup
  const parts = markup.toString().split(TAG)
  return html`${parts.map((part, index) => (index % 2 === 1 ? raw(part) : replaceShortcodes(part, emojis, raw)))}`
}

/** Splits text at the shortcodes of the given emojis; `toHtml` converts the text between them. */
function replaceShortcodes(
  text: string,
  emojis: readonly Emoji[],
  toHtml: (text: string) => SafeHtml | string = String,
) {
  const parts: (SafeHtml | string)[] = []
  let from = 0
  for (const match of text.matchAll(EMOJI_SHORTCODE)) {
    const emoji = emojis.find(({ shortcode }) => shortcode === match[1])
    if (!emoji) continue
    const name = match[0]
    parts.push(toHtml(text.slice(from, match.index)))
    // The height is for feed readers: they lack the stylesheet, and would show the image in its full size.
    parts.push(html`<img class="emoji" src="${emoji.url}" alt="${name}" title="${name}" height="20" loading="lazy" />`)
    from = match.index + name.length
  }
  parts.push(toHtml(text.slice(from)))
  return parts
}
