import { html, isolate } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { csrfField, errorSummary, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { emailField, newPasswordField, usernameField } from '../sign-up/template.ts'
import { textFor } from '../text.ts'

export type SetupInput = {
  /** The secret of the one-time link, sent along as `token`. */
  token: string
  values?: Partial<Record<'username' | 'email', string>>
  /** Attributes `username`, `email`, `password`. */
  errors?: readonly FieldError[]
}

/** Makes the owner's account on a new server; posts to `paths.setup`. */
export function setupPage(frame: Frame, { token, values = {}, errors }: SetupInput): string {
  const text = textFor(frame.lang)
  const { setup, signUp } = text
  const labels = { username: signUp.username, email: signUp.email, password: signUp.password }
  const body = html`
    <h1>${setup.title}</h1>
    <p class="lead">${setup.lead(isolate(frame.domain))}</p>
    ${errorSummary(text, { errors, labels })}
    <form method="post" action="${paths.setup}">
      ${csrfField(frame.csrf)} ${hiddenFields({ token })}
      ${usernameField(text, { domain: frame.domain, value: values.username, errors })}
      ${emailField(text, { value: values.email, hint: setup.emailHint, errors })} ${newPasswordField(text, { errors })}
      <p class="hint">${setup.note}</p>
      <p class="actions"><button class="button" type="submit">${setup.submit}</button></p>
    </form>
  `
  return page(frame, { title: setup.title, body, shape: 'narrow' })
}
