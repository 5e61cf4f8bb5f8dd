import { attributes, html, isolate } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField } from '../sign-up/template.ts'
import { textFor } from '../text.ts'

export type CheckMailInput = {
  /** Where the link was sent. */
  email: string
  /** A mail has just been sent again. */
  resent?: boolean
  /** The new address that was refused, and why (attribute `email`). */
  newEmail?: string
  errors?: readonly FieldError[]
  /** false: the user has a confirmed address, so only the settings, which ask for the password, accept another one. */
  changeable?: boolean
}

/** After sign-up: a mail is on its way. Posts to `paths.confirmation`, with `email` to change the address. */
export function checkMailPage(
  frame: Frame,
  { email, resent, newEmail, errors, changeable = true }: CheckMailInput,
): string {
  const text = textFor(frame.lang)
  const { checkMail } = text
  const change = html`<details class="more" ${attributes({ open: Boolean(errors?.length) })}>
    <summary>${checkMail.change}</summary>
    <form method="post" action="${paths.confirmation}">
      ${csrfField(frame.csrf)} ${emailField(text, { label: checkMail.email, hint: '', value: newEmail, errors })}
      <p class="actions"><button class="button" type="submit">${checkMail.save}</button></p>
    </form>
  </details>`
  const body = html`
    <p class="emblem">${icons.mail}</p>
    <h1>${checkMail.title}</h1>
    ${resent && notice('good', checkMail.resent)}
    <p class="lead">${checkMail.sent(html`<strong>${isolate(email)}</strong>`)}</p>
    <p class="quiet">${checkMail.hint}</p>
    <form method="post" action="${paths.confirmation}">
      ${csrfField(frame.csrf)}
      <p class="actions"><button class="button button-line" type="submit">${checkMail.resend}</button></p>
    </form>
    ${changeable && change}
  `
  return page(frame, { title: checkMail.title, body, shape: 'narrow' })
}
