import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import { csrfField, errorSummary, field, hiddenFields, selectField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import { message } from '../../../lib/messages/message.ts'

export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

export type ShareInput = {
  text: string
  warning: string
  visibility: (typeof VISIBILITIES)[number]
  /** The idempotency key, so that sending the form twice publishes one post. */
  key: string
  maxCharacters: number
  /** Attributes `text`, `spoiler_text`. */
  errors?: readonly FieldError[] | undefined
}

/**
 * The form for a post that starts with the shared text; posts `text`, `spoiler_text` and `visibility` to `paths.share`.
 */
export function sharePage(frame: Frame, { text, warning, visibility, key, maxCharacters, errors }: ShareInput): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'share.title')}</h1>
    ${frame.viewer && identity({ ...frame.viewer, url: null })}
    ${errorSummary(locale, { errors, labels: { text: message(locale, 'share.text'), spoiler_text: message(locale, 'share.warning') } })}
    <form method="post" action="${paths.share}">
      ${csrfField(frame.csrf)} ${hiddenFields({ key })}
      ${field(locale, {
        name: 'text',
        label: message(locale, 'share.text'),
        type: 'textarea',
        value: text,
        hint: message(locale, 'share.hint', { max: maxCharacters }),
        errors,
        more: { rows: 8, autofocus: true },
      })}
      ${field(locale, { name: 'spoiler_text', label: message(locale, 'share.warning'), value: warning, optional: true, errors })}
      ${selectField({
        name: 'visibility',
        label: message(locale, 'share.visibility'),
        value: visibility,
        options: VISIBILITIES.map((one) => [one, message(locale, `share.visibilities.${one}`)] as const),
      })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'share.submit')}</button></p>
    </form>
  `
  return page(frame, { title: message(locale, 'share.title'), body, shape: 'narrow' })
}

/** Confirms a post that has no public page. */
export function sharedPage(frame: Frame): string {
  const { locale } = frame
  const body = html`<h1>${message(locale, 'share.done')}</h1>
    <p class="lead">${message(locale, 'share.done-text')}</p>
    <p class="actions"><a class="button" href="${paths.account}">${message(locale, 'layout.account')}</a></p>`
  return page(frame, { title: message(locale, 'share.done'), body, shape: 'narrow' })
}
