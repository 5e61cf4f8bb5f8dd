// All control characters except line feed and tab: they have no meaning in texts and harm databases, terminals and XML.
const CONTROLS = /[^\P{Cc}\n\t]/gu

/**
 * Converts text to a form that PostgreSQL, JSON and terminals accept: line ends become `\n`, control characters other
 * than tab and `\n` are removed (including NUL), lone surrogates become U+FFFD. Keeps everything else, including
 * leading and trailing white space. Not for passwords.
 */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').toWellFormed()
}
