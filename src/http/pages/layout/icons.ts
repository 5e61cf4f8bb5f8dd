import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'

/**
 * A line drawing on a grid of 24 units, in the colour of the surrounding text. Decorative: hidden from screen readers.
 */
function icon(path: string): SafeHtml {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}" /></svg>`
}

export const icons = {
  reply: icon('M20 11.5a7.5 7.5 0 0 1-10.9 6.7L4 20l1.7-4.7A7.5 7.5 0 1 1 20 11.5Z'),
  reblog: icon('M4 13V9.5A2.5 2.5 0 0 1 6.5 7H18m-3-3 3 3-3 3m5 1v3.5a2.5 2.5 0 0 1-2.5 2.5H6m3 3-3-3 3-3'),
  favourite: icon('m12 4 2.5 5.1 5.6.8-4 3.9.9 5.6-5-2.6-5 2.6.9-5.6-4-3.9 5.6-.8Z'),
  pin: icon('M9 4h6l-.7 6.2 3.2 3.3v1.5h-11v-1.5l3.2-3.3L9 4Zm3 11v5.5'),
  read: icon('M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z'),
  write: icon('m4 20 1-4.5L16 4.5a2 2 0 0 1 2.8 0l.7.7a2 2 0 0 1 0 2.8L8.5 19 4 20Zm10.5-14 3.5 3.5'),
  follow: icon('M9.5 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 19.5c.6-3 3.2-5 6.5-5s5.9 2 6.5 5M18.5 8v6m3-3h-6'),
  push: icon('M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15L6 16.5Zm4 4h4'),
  admin: icon('M12 3.5 5 6v5.5c0 4.3 2.8 7.5 7 9 4.2-1.5 7-4.7 7-9V6l-7-2.5Zm-3 8.5 2.2 2.2L15.5 10'),
  hidden: icon('M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6ZM4.5 19.5l15-15'),
  play: icon('M8 5.5v13l10.5-6.5L8 5.5Z'),
  mail: icon(
    'M4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9A1.5 1.5 0 0 1 4.5 6Zm-.8 1.2L12 13l8.3-5.8',
  ),
  done: icon('m5 12.5 4.5 4.5L19.5 7'),
  feed: icon('M5 12.5A6.5 6.5 0 0 1 11.5 19M5 6a13 13 0 0 1 13 13M6 19a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z'),
  lock: icon('M7 11V8.5a5 5 0 0 1 10 0V11m-11 0h12v9H6v-9Z'),
  back: icon('M19.5 12h-15m6-6-6 6 6 6'),
  wait: icon('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm0-13.5v5l3.5 2'),
  forward: icon('M4.5 12h15m-6-6 6 6-6 6'),
}
