import { html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { checkbox, csrfField, errorSummary, field, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { Person } from '../layout/page-account.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

export type SignUpInput = {
  /** What was typed before. The password is never given back. */
  values?: Partial<Record<'username' | 'email' | 'reason' | 'date_of_birth', string>> & { agreement?: boolean }
  /** Attributes `username`, `email`, `password`, `date_of_birth`, `reason`, `agreement`; others show without a field. */
  errors?: readonly FieldError[]
  rules: readonly { text: string; hint?: string | null }[]
  /** Whether approval needs a reason to be given; without it the question stays optional. */
  reasonRequired?: boolean
  /** Years; asks for the date of birth. */
  minimumAge?: number | null
  /** A valid invitation, whose code is sent along. It opens closed registrations and skips approval. */
  invite?: { code: string; by?: Person | null } | null
  privacyUrl?: string | null
  termsUrl?: string | null
}

/** The form for a new account; posts to `paths.register`. Says so when registrations are closed. */
export function signUpPage(frame: Frame, input: SignUpInput): string {
  const text = textFor(frame.lang)
  if (frame.registrations === 'none' && !input.invite) return closedPage(frame, text)
  const { signUp } = text
  const asks = frame.registrations === 'approved' && !input.invite
  const domain = isolate(frame.domain)
  const { values = {}, errors } = input
  const labels = {
    username: signUp.username,
    email: signUp.email,
    password: signUp.password,
    ...(input.minimumAge && { date_of_birth: signUp.birth }),
    ...(asks && { reason: signUp.reason }),
    agreement: signUp.agreement,
  }
  const body = html`
    <h1>${asks ? signUp.askTitle : signUp.title}</h1>
    <p class="lead">${asks ? signUp.askLead(domain) : signUp.lead(domain)}</p>
    ${input.invite && invitation(text, input.invite.by)} ${errorSummary(text, { errors, labels })}
    <form method="post" action="${paths.register}">
      ${csrfField(frame.csrf)} ${hiddenFields({ invite_code: input.invite?.code })}
      ${usernameField(text, { domain: frame.domain, value: values.username, errors })}
      ${emailField(text, { value: values.email, errors })} ${newPasswordField(text, { errors })}
      ${
        input.minimumAge &&
        field(text, {
          name: 'date_of_birth',
          label: signUp.birth,
          type: 'date',
          value: values.date_of_birth,
          hint: signUp.birthHint(input.minimumAge),
          errors,
          autocomplete: 'bday',
        })
      }
      ${
        asks &&
        field(text, {
          name: 'reason',
          label: signUp.reason,
          type: 'textarea',
          value: values.reason,
          hint: signUp.reasonHint,
          errors,
          optional: !input.reasonRequired,
          more: { maxlength: 420 },
        })
      }
      ${rules(text, input.rules)}
      ${checkbox(text, {
        name: 'agreement',
        label: input.rules.length > 0 ? signUp.agree : signUp.agreePlain,
        checked: values.agreement ?? false,
        errors,
      })}
      ${documents(text, input)}
      <p class="actions"><button class="button" type="submit">${asks ? signUp.ask : signUp.submit}</button></p>
    </form>
    ${instead(text)}
  `
  return page(frame, { title: asks ? signUp.askTitle : signUp.title, body, shape: 'narrow' })
}

/** The field `username`, inside the handle that it will be part of. */
export function usernameField(
  text: Text,
  { domain, value, errors }: { domain: string; value?: string | undefined; errors?: readonly FieldError[] | undefined },
): SafeHtml {
  return field(text, {
    name: 'username',
    label: text.signUp.username,
    value,
    hint: text.signUp.usernameHint,
    prefix: '@',
    suffix: `@${domain}`,
    errors,
    autocomplete: 'username',
    more: { maxlength: 30, pattern: '[A-Za-z0-9_]+', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' },
  })
}

/** The field `email`. */
export function emailField(
  text: Text,
  {
    value,
    errors,
    label,
    hint = text.signUp.emailHint,
  }: { value?: string | undefined; errors?: readonly FieldError[] | undefined; label?: string; hint?: string },
): SafeHtml {
  const more = { maxlength: 320, autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' }
  return field(text, {
    name: 'email',
    label: label ?? text.signUp.email,
    type: 'email',
    value,
    hint,
    errors,
    autocomplete: 'email',
    more,
  })
}

/** The field `password`, for one that is chosen now. */
export function newPasswordField(
  text: Text,
  { errors, label = text.signUp.password }: { errors?: readonly FieldError[] | undefined; label?: string },
): SafeHtml {
  const { passwordHint: hint } = text.signUp
  return field(text, {
    name: 'password',
    label,
    type: 'password',
    hint,
    errors,
    autocomplete: 'new-password',
    more: { minlength: 8 },
  })
}

function invitation(text: Text, by: Person | null | undefined): SafeHtml {
  if (!by) return html`<p class="notice notice-good">${text.signUp.invited}</p>`
  return html`<div class="notice notice-good">
    <p>${text.signUp.invitedBy}</p>
    ${identity(by)}
  </div>`
}

function rules({ signUp }: Text, all: SignUpInput['rules']): SafeHtml {
  if (all.length === 0) return html``
  return html`<section class="rules">
    <h2>${signUp.rules}</h2>
    <ol>
      ${all.map(
        (rule) => html`<li dir="auto">${rule.text}${rule.hint && html` <span class="quiet">${rule.hint}</span>`}</li>`,
      )}
    </ol>
  </section>`
}

function documents({ signUp }: Text, { privacyUrl, termsUrl }: SignUpInput): SafeHtml {
  const links = [
    { url: privacyUrl, name: signUp.privacy },
    { url: termsUrl, name: signUp.terms },
  ].filter(({ url }) => url)
  if (links.length === 0) return html``
  const list = links.map(({ url, name }, index) => html`${index > 0 && ', '}<a href="${url}">${name}</a>`)
  return html`<p class="hint">${signUp.more} ${list}</p>`
}

function instead({ signUp }: Text): SafeHtml {
  return html`<p class="aside">${signUp.instead} <a href="${paths.signIn}">${signUp.signIn}</a></p>`
}

function closedPage(frame: Frame, text: Text): string {
  const { signUp } = text
  const body = html`
    <h1>${signUp.closedTitle}</h1>
    <p class="lead">${signUp.closed(isolate(frame.siteTitle))}</p>
    ${instead(text)}
  `
  return page(frame, { title: signUp.closedTitle, body, shape: 'narrow' })
}
