import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html.ts'
import { csrfField, errorSummary, field, hiddenFields, selectField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import { textFor } from '../text.ts'

export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const

export type ShareInput = {
  text: string
  warning: string
  visibility: (typeof VISIBILITIES)[number]
  /** Makes the form safe to send twice. */
  key: string
  maxCharacters: number
  /** Attributes `text`, `spoiler_text`. */
  errors?: readonly FieldError[] | undefined
}

/** Writes a post that begins with a shared text; posts `text`, `spoiler_text` and `visibility` to `paths.share`. */
export function sharePage(
  frame: Frame,
  { text: typed, warning, visibility, key, maxCharacters, errors }: ShareInput,
): string {
  const text = textFor(frame.lang)
  const { share } = text
  const body = html`
    <h1>${share.title}</h1>
    ${frame.viewer && identity({ ...frame.viewer, url: null })}
    ${errorSummary(text, { errors, labels: { text: share.text, spoiler_text: share.warning } })}
    <form method="post" action="${paths.share}">
      ${csrfField(frame.csrf)} ${hiddenFields({ key })}
      ${field(text, {
        name: 'text',
        label: share.text,
        type: 'textarea',
        value: typed,
        hint: share.hint(maxCharacters),
        errors,
        more: { rows: 8, autofocus: true },
      })}
      ${field(text, { name: 'spoiler_text', label: share.warning, value: warning, optional: true, errors })}
      ${selectField({
        name: 'visibility',
        label: share.visibility,
        value: visibility,
        options: VISIBILITIES.map((one) => [one, share.visibilities[one]] as const),
      })}
      <p class="actions"><button class="button" type="submit">${share.submit}</button></p>
    </form>
  `
  return page(frame, { title: share.title, body, shape: 'narrow' })
}

/** Confirms a post that has no public page. */
export function sharedPage(frame: Frame): string {
  const { share, layout } = textFor(frame.lang)
  const body = html`<h1>${share.done}</h1>
    <p class="lead">${share.doneText}</p>
    <p class="actions"><a class="button" href="${paths.account}">${layout.account}</a></p>`
  return page(frame, { title: share.done, body, shape: 'narrow' })
}
