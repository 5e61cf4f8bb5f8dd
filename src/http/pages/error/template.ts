import { html } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'

/** The status codes with a text of their own in the message catalogue. */
const CODES_WITH_TEXT = [400, 401, 403, 404, 410, 422, 429, 500, 503] as const

/**
 * The page of an error response. A status code without a text of its own uses the text of 400 or 500, and
 * `textOf` replaces the text of its status code. `reference` is the request id, which the log of the server contains,
 * too.
 */
export function errorPage(
  frame: Frame,
  {
    status,
    textOf,
    reference,
  }: { status: number; textOf?: (typeof CODES_WITH_TEXT)[number]; reference?: string | null },
): string {
  const { locale } = frame
  const textCode = textOf ?? CODES_WITH_TEXT.find((code) => code === status) ?? (status < 500 ? 400 : 500)
  const title = message(locale, `error.${textCode}.title`)
  const body = html`
    <p class="error-status" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${message(locale, `error.${textCode}.text`)}</p>
    <p class="actions"><a class="button button-line" href="${paths.landing}">${message(locale, 'error.home')}</a></p>
    ${reference && html`<p class="quiet">${markup(locale, 'error.reference', { id: html`<code>${reference}</code>` })}</p>`}
  `
  return page(frame, { title, body, shape: 'narrow' })
}
