import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField, usernameField } from '../sign-up/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type SetupInput = {
  /** The secret of the one-time link, sent along as `token`. */
  token: string
  values?: Partial<Record<'username' | 'email', string>>
  /** Attributes `username`, `email`, `password`. */
  errors?: readonly FieldError[]
}

/** The form that creates the account of the owner on a new server; posts to `paths.setup`. */
export function setupPage(frame: Frame, { token, values = {}, errors }: SetupInput): string {
  const { locale } = frame
  const labels = {
    username: message(locale, 'sign-up.username'),
    email: message(locale, 'sign-up.email'),
    password: message(locale, 'sign-up.password'),
  }
  const body = html`
    <h1>${message(locale, 'setup.title')}</h1>
    <p class="lead">${markup(locale, 'setup.lead', { domain: isolateDirection(frame.domain) })}</p>
    ${errorSummary(locale, { errors, labels })}
    <form method="post" action="${paths.setup}">
      ${csrfField(frame.csrf)} ${hiddenFields({ token })}
      ${usernameField(locale, { domain: frame.domain, value: values.username, errors })}
      ${emailField(locale, { value: values.email, hint: message(locale, 'setup.email-hint'), errors })}
      ${newPasswordField(locale, { errors })}
      <p class="hint">${message(locale, 'setup.note')}</p>
      <p class="actions"><button class="button" type="submit">${message(locale, 'setup.submit')}</button></p>
    </form>
  `
  return page(frame, { title: message(locale, 'setup.title'), body, shape: 'narrow' })
}
