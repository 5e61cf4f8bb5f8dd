import { html } from '../../lib/html.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { plainText } from '../../lib/text/plainText.ts'
import { sanitizeHtml } from '../../lib/text/sanitize.ts'

const SHORTCODE = /:[a-zA-Z0-9_]{2,}:/g
const KEPT_SHORTCODE = /<span translate="no">(:[a-zA-Z0-9_]{2,}:)<\/span>/g

/** Clean HTML as it is sent to be translated: names of emojis stay what they are. */
export function htmlPiece(clean: string): string {
  return clean
    .split(/(<[^>]*>)/)
    .map((part, n) => (n % 2 === 0 ? part.replace(SHORTCODE, '<span translate="no">$&</span>') : part))
    .join('')
}

/** The same of a text. */
export function textPiece(text: string): string {
  return htmlPiece(html`${cleanText(text)}`.toString().replaceAll('\n', '<br>'))
}

/** What came back, as HTML that can be shown. Nobody vouches for it but a service elsewhere. */
export function readHtmlPiece(piece: string): string {
  return sanitizeHtml(piece).replace(KEPT_SHORTCODE, '$1')
}

/** What came back, as text. */
export function readTextPiece(piece: string): string {
  return plainText(piece)
}
