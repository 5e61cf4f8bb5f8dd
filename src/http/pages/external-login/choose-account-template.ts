import type { FieldError } from '../../../lib/errors.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { checkbox, csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { birthField, documents, emailField, rules, usernameField } from '../sign-up/template.ts'
import type { SignUpInput } from '../sign-up/template.ts'

export type ChooseAccountInput = Pick<SignUpInput, 'rules' | 'privacyUrl' | 'termsUrl' | 'minimumAge'> & {
  state: string
  /** The name of the provider. */
  providerName: string
  /** An address that the provider has verified, which cannot be changed here; null: the user enters one. */
  verifiedEmail: string | null
  values: { username: string; email: string; dateOfBirth: string; agreement: boolean }
  /** Attributes `username`, `email`, `date_of_birth`, `agreement`. */
  errors?: readonly FieldError[]
  /** Whether new accounts can be created. */
  canSignUp: boolean
  /** What the user entered to log in to an existing account. */
  login?: string
  /** Why the log-in to an existing account failed. */
  problem?: 'failed' | 'throttled' | 'taken' | 'email-taken'
}

/** The page at the first log-in with a provider: creates an account, or links one that the user has already. */
export function chooseAccountPage(frame: Frame, input: ChooseAccountInput): string {
  const { locale } = frame
  const { values, errors } = input
  const title = message(locale, 'choose-account.title')
  const provider = isolateDirection(input.providerName)
  // Below the window of a phone, the user would not see the problem of the second form.
  const focusesLogin = input.problem !== undefined && !errors?.length
  const labels = {
    username: message(locale, 'sign-up.username'),
    ...(input.verifiedEmail === null && { email: message(locale, 'sign-up.email') }),
    ...(input.minimumAge && { date_of_birth: message(locale, 'sign-up.birth') }),
    agreement: message(locale, 'sign-up.agreement'),
  }
  const create = html`
    <h2 class="form-title">${message(locale, 'choose-account.create')}</h2>
    ${errorSummary(locale, { errors, labels })}
    <form method="post" action="${paths.chooseAccount}">
      ${csrfField(frame.csrf)} ${hiddenFields({ state: input.state })}
      ${usernameField(locale, { domain: frame.domain, value: values.username, errors })}
      ${
        input.verifiedEmail === null
          ? emailField(locale, { value: values.email, errors })
          : html`<p>
              ${markup(locale, 'choose-account.email', { address: html`<strong>${isolateDirection(input.verifiedEmail)}</strong>` })}
            </p>`
      }
      ${input.minimumAge && birthField(locale, { minimumAge: input.minimumAge, value: values.dateOfBirth, errors })}
      ${rules(locale, input.rules)}
      ${checkbox(locale, {
        name: 'agreement',
        label: message(locale, input.rules.length > 0 ? 'sign-up.agree' : 'sign-up.agree-plain'),
        checked: values.agreement,
        errors,
      })}
      ${documents(locale, input)}
      <p class="actions"><button class="button" type="submit">${message(locale, 'sign-up.submit')}</button></p>
    </form>
  `
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${markup(locale, 'choose-account.lead', { provider })}</p>
    ${input.canSignUp && create}
    <h2 class="form-title">${message(locale, 'choose-account.existing')}</h2>
    <p>${markup(locale, 'choose-account.existing-lead', { provider })}</p>
    ${input.problem && notice('alert', problemText(frame, input.problem))}
    <form method="post" action="${paths.linkAccount}">
      ${csrfField(frame.csrf)} ${hiddenFields({ state: input.state })}
      ${field(locale, {
        name: 'login',
        label: message(locale, 'sign-in.login'),
        value: input.login,
        autocomplete: 'username',
        more: { autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', autofocus: focusesLogin && !input.login },
      })}
      ${field(locale, {
        name: 'password',
        label: message(locale, 'sign-in.password'),
        type: 'password',
        autocomplete: 'current-password',
        more: { autofocus: focusesLogin && Boolean(input.login) },
      })}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'choose-account.link')}</button>
      </p>
    </form>
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function problemText({ locale }: Frame, problem: NonNullable<ChooseAccountInput['problem']>): string {
  if (problem === 'email-taken') return message(locale, 'choose-account.email-taken')
  return problem === 'taken' ? message(locale, 'external.problem-taken') : message(locale, `sign-in.${problem}`)
}
