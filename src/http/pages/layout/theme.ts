import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { PAPER_COLOURS } from '../../../lib/html/paper-colours.ts'

/** The theme that the user chose in the web client for this browser; `auto` follows the system. */
export type Theme = 'light' | 'dark' | 'auto'

/**
 * The cookie in which the web client stores the theme (`web/src/lib/theme.ts`), so that the first paint has the right
 * colours.
 */
const COOKIE = 'linnet-theme'

/** Reads the theme from the cookies of a request; null: they have not been parsed, because the request failed before. */
export function themeOf(cookies: Readonly<Record<string, string | undefined>> | null): Theme {
  const theme = cookies?.[COOKIE]
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

/** The elements of the document head that tell the browser the colours of the page. `changeTheme` changes them, too. */
export function themeTags(theme: Theme): SafeHtml {
  const paperOf = (scheme: 'light' | 'dark') => PAPER_COLOURS[theme === 'auto' ? scheme : theme]
  return html`<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}" />
    <meta name="theme-color" content="${paperOf('light')}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${paperOf('dark')}" media="(prefers-color-scheme: dark)" />`
}
