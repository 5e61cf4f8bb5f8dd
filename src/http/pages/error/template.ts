import { html } from '../../../lib/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'

const TOLD = [400, 401, 403, 404, 410, 422, 429, 500, 503] as const

/**
 * A page for an answer that is an error. A status without words of its own gets those of 400 or 500.
 * `reference` names the request in our log.
 */
export function errorPage(frame: Frame, { status, reference }: { status: number; reference?: string | null }): string {
  const { locale } = frame
  const told = TOLD.find((known) => known === status) ?? (status < 500 ? 400 : 500)
  const title = message(locale, `error.${told}.title`)
  const body = html`
    <p class="error-status" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${message(locale, `error.${told}.text`)}</p>
    <p class="actions"><a class="button button-line" href="${paths.landing}">${message(locale, 'error.home')}</a></p>
    ${reference && html`<p class="quiet">${markup(locale, 'error.reference', { id: html`<code>${reference}</code>` })}</p>`}
  `
  return page(frame, { title, body, shape: 'narrow' })
}
