import { attributes, html, isolateDirection } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField } from '../sign-up/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type CheckMailInput = {
  /** The address to which the confirmation link was sent. */
  email: string
  /** The mail has just been sent again. */
  resent?: boolean
  /** The new address that was rejected; `errors` has the reasons (attribute `email`). */
  newEmail?: string
  errors?: readonly FieldError[]
  /**
   * false: the user has a confirmed address, so they can change it only in the settings, which ask for the password.
   */
  changeable?: boolean
}

/**
 * The page after sign-up, which asks to follow the link in the mail. Posts to `paths.confirmation`, with `email` to
 * change the address.
 */
export function checkMailPage(
  frame: Frame,
  { email, resent, newEmail, errors, changeable = true }: CheckMailInput,
): string {
  const { locale } = frame
  const change = html`<details class="more" ${attributes({ open: Boolean(errors?.length) })}>
    <summary>${message(locale, 'check-mail.change')}</summary>
    <form method="post" action="${paths.confirmation}">
      ${csrfField(frame.csrf)}
      ${emailField(locale, { label: message(locale, 'check-mail.email'), hint: '', value: newEmail, errors })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'check-mail.save')}</button></p>
    </form>
  </details>`
  const body = html`
    <p class="emblem">${icons.mail}</p>
    <h1>${message(locale, 'check-mail.title')}</h1>
    ${resent && notice('good', message(locale, 'check-mail.resent'))}
    <p class="lead">
      ${markup(locale, 'check-mail.sent', { address: html`<strong>${isolateDirection(email)}</strong>` })}
    </p>
    <p class="quiet">${message(locale, 'check-mail.hint')}</p>
    <form method="post" action="${paths.confirmation}">
      ${csrfField(frame.csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'check-mail.resend')}</button>
      </p>
    </form>
    ${changeable && change}
  `
  return page(frame, { title: message(locale, 'check-mail.title'), body, shape: 'narrow' })
}
