import { html } from '../../lib/html/html.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { sanitizeHtml } from '../../lib/html/sanitize.ts'

const SHORTCODE = /:[a-zA-Z0-9_]{2,}:/g
const PROTECTED_SHORTCODE = /<span translate="no">(:[a-zA-Z0-9_]{2,}:)<\/span>/g

const LINK = /<a ([^>]*)>(.*?)<\/a>/gs
const NAME_CLASS = /class="(?:[^"]* )?(?:mention|hashtag)[ "]/
const NAME_TEXT = /^(?:<[^>]*>|\s)*(?:[@#\uff03]|https?:)/

/**
 * Returns sanitized HTML as it is sent to the translation service. Emoji shortcodes, mentions, hashtags and links with
 * their URL as text are protected from translation: clients find accounts, hashtags and pages by these texts.
 */
export function htmlFragment(sanitizedHtml: string): string {
  return sanitizedHtml
    .replace(LINK, (link, attributes: string, text: string) =>
      !attributes.includes('translate="no"') && (NAME_CLASS.test(attributes) || NAME_TEXT.test(text))
        ? `<a ${attributes} translate="no">${text}</a>`
        : link,
    )
    .split(/(<[^>]*>)/)
    .map((part, n) => (n % 2 === 0 ? part.replace(SHORTCODE, '<span translate="no">$&</span>') : part))
    .join('')
}

/** Returns plain text as HTML as it is sent to the translation service. */
export function textFragment(text: string): string {
  return htmlFragment(html`${cleanText(text)}`.toString().replaceAll('\n', '<br>'))
}

/** Returns a translated fragment as sanitized HTML. The response of the translation service is not trusted. */
export function parseHtmlFragment(fragment: string): string {
  return sanitizeHtml(fragment).replace(PROTECTED_SHORTCODE, '$1')
}

/** Returns a translated fragment as plain text. */
export function parseTextFragment(fragment: string): string {
  return htmlToPlainText(fragment)
}
