import { html } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, hiddenFields } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField } from '../sign-up/template.ts'
import { textFor } from '../text.ts'

/** Asks for the address of who has forgotten their password; posts to `paths.askForPassword`. */
export function forgottenPage(
  frame: Frame,
  { value, errors }: { value?: string; errors?: readonly FieldError[] },
): string {
  const text = textFor(frame.lang)
  const words = text.settings.forgotten
  const body = html`
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${errorSummary(text, { errors, labels: { email: words.email } })}
    <form method="post" action="${paths.askForPassword}">
      ${csrfField(frame.csrf)} ${emailField(text, { label: words.email, hint: '', value, errors })}
      <p class="actions"><button class="button" type="submit">${words.submit}</button></p>
    </form>
    <p class="aside"><a href="${paths.signIn}">${text.signIn.title}</a></p>
  `
  return page(frame, { title: words.title, body, shape: 'narrow' })
}

/** Says that a letter is on its way, or not: the page does not know. */
export function letterSentPage(frame: Frame): string {
  const text = textFor(frame.lang)
  const words = text.settings.forgotten
  const body = html`
    <p class="emblem">${icons.mail}</p>
    <h1>${words.sentTitle}</h1>
    <p class="lead">${words.sent}</p>
    <p class="quiet">${words.sentHint}</p>
    <p class="aside"><a href="${paths.signIn}">${text.signIn.title}</a></p>
  `
  return page(frame, { title: words.sentTitle, body, shape: 'narrow' })
}

/** Takes the new password of who came by a link; posts to `paths.newPassword` with its `reset_password_token`. */
export function newPasswordPage(
  frame: Frame,
  { token, errors }: { token: string; errors?: readonly FieldError[] },
): string {
  const text = textFor(frame.lang)
  const words = text.settings.forgotten
  const label = text.settings.account.newPassword
  const body = html`
    <h1>${words.newTitle}</h1>
    <p class="lead">${words.newLead}</p>
    ${errorSummary(text, { errors, labels: { password: label } })}
    <form method="post" action="${paths.newPassword}">
      ${csrfField(frame.csrf)} ${hiddenFields({ reset_password_token: token })}
      ${newPasswordField(text, { label, errors })}
      <p class="actions"><button class="button" type="submit">${words.save}</button></p>
    </form>
  `
  return page(frame, { title: words.newTitle, body, shape: 'narrow' })
}
