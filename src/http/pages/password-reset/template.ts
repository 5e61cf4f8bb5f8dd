import { html } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, hiddenFields } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField } from '../sign-up/template.ts'
import { message } from '../../../lib/messages/message.ts'

/** Asks a user who has forgotten their password for their e-mail address; posts to `paths.requestPasswordReset`. */
export function forgottenPage(
  frame: Frame,
  { value, errors }: { value?: string; errors?: readonly FieldError[] },
): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'password-reset.title')}</h1>
    <p class="lead">${message(locale, 'password-reset.lead')}</p>
    ${errorSummary(locale, { errors, labels: { email: message(locale, 'password-reset.email') } })}
    <form method="post" action="${paths.requestPasswordReset}">
      ${csrfField(frame.csrf)}
      ${emailField(locale, { label: message(locale, 'password-reset.email'), hint: '', value, errors })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'password-reset.submit')}</button></p>
    </form>
    <p class="aside"><a href="${paths.signIn}">${message(locale, 'sign-in.title')}</a></p>
  `
  return page(frame, { title: message(locale, 'password-reset.title'), body, shape: 'narrow' })
}

/** Says that a mail was sent if an account has the address. The page does not reveal whether one has. */
export function resetMailSentPage(frame: Frame): string {
  const { locale } = frame
  const body = html`
    <p class="emblem">${icons.mail}</p>
    <h1>${message(locale, 'password-reset.sent-title')}</h1>
    <p class="lead">${message(locale, 'password-reset.sent')}</p>
    <p class="quiet">${message(locale, 'password-reset.sent-hint')}</p>
    <p class="aside"><a href="${paths.signIn}">${message(locale, 'sign-in.title')}</a></p>
  `
  return page(frame, { title: message(locale, 'password-reset.sent-title'), body, shape: 'narrow' })
}

/** Asks for a new password; posts to `paths.newPassword` with the `reset_password_token` of the link. */
export function newPasswordPage(
  frame: Frame,
  { token, errors }: { token: string; errors?: readonly FieldError[] },
): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'password-reset.new-title')}</h1>
    <p class="lead">${message(locale, 'password-reset.new-lead')}</p>
    ${errorSummary(locale, { errors, labels: { password: message(locale, 'settings.new-password') } })}
    <form method="post" action="${paths.newPassword}">
      ${csrfField(frame.csrf)} ${hiddenFields({ reset_password_token: token })}
      ${newPasswordField(locale, { label: message(locale, 'settings.new-password'), errors })}
      <p class="actions"><button class="button" type="submit">${message(locale, 'password-reset.save')}</button></p>
    </form>
  `
  return page(frame, { title: message(locale, 'password-reset.new-title'), body, shape: 'narrow' })
}
