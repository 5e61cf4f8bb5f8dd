import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'

/** The outline of a linnet. Its feet are at the lower edge of the view box, so that it can stand on a line. */
const BIRD =
  'M1.5 41 21 20.5C23.3 18 24 16.5 24.3 14.8A9.8 9.8 0 0 1 43.2 13.3L47.5 15.6 43.8 17.6V19A22 22 0 0 1 21.8 41ZM33.6 13.6a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z'
const BREAST = 'M43.8 17.6V19A22 22 0 0 1 21.8 41H15C26 38.5 32 32 34 24.5 35.2 20 38.5 17.3 43.8 17.6Z'

/** The logo on pages. Decorative: the name of the site always stands next to it. */
export const mark: SafeHtml = html`<svg class="mark" viewBox="0 4 48 37" aria-hidden="true" focusable="false">
  <path class="mark-body" fill-rule="evenodd" d="${BIRD}" />
  <path class="mark-breast" d="${BREAST}" />
</svg>`

/** The icons of browser tabs and of home screens, which the staff can replace (`http/files/site-icons.ts`). */
export const iconTags: SafeHtml = html`<link rel="icon" type="image/png" href="/pages/icon-48.png" />
  <link rel="apple-touch-icon" href="/pages/icon-192.png" />`
