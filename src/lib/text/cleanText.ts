// Line feed and tab mean something in a text; the other control characters only harm databases, terminals and XML.
const CONTROLS = /[^\P{Cc}\n\t]/gu

/**
 * Text that PostgreSQL, JSON and a terminal all take: line ends become `\n`, control characters other than tab and
 * `\n` go (NUL among them), a lone surrogate becomes U+FFFD. Everything else stays, white space at the ends too.
 * Not for passwords.
 */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').toWellFormed()
}
