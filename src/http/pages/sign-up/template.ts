import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { HtmlValue, SafeHtml } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { checkbox, csrfField, errorSummary, field, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths, signInPath } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

export type SignUpInput = {
  /** What the user entered before, except the password. */
  values?: Partial<Record<'username' | 'email' | 'reason' | 'date_of_birth', string>> & { agreement?: boolean }
  /**
   * Attributes `username`, `email`, `password`, `date_of_birth`, `reason`, `agreement`; others are shown without a
   * link.
   */
  errors?: readonly FieldError[]
  rules: readonly { text: string; hint?: string | null }[]
  /** Whether a reason is required where moderators approve accounts; otherwise it is optional. */
  reasonRequired?: boolean
  /** In years. If there is one, the form asks for the date of birth. */
  minimumAge?: number | null
  /**
   * A valid invitation; the form sends its code. With it users can sign up while registrations are closed.
   * `needsApproval`: a moderator approves the account nevertheless.
   */
  invite?: { code: string; by?: PageAccount | null; needsApproval?: boolean } | null
  privacyUrl?: string | null
  termsUrl?: string | null
  /** The signed time at which the form was first shown, which the form sends back. */
  shownAt?: string
}

/** The sign-up form, which posts to `paths.register`, or a message that registrations are closed. */
export function signUpPage(frame: Frame, input: SignUpInput): string {
  const { locale } = frame
  if (frame.registrations === 'none' && !input.invite) return closedPage(frame)
  const needsApproval = input.invite ? input.invite.needsApproval === true : frame.registrations === 'approved'
  const title = message(locale, needsApproval ? 'sign-up.ask-title' : 'sign-up.title')
  const domain = isolateDirection(frame.domain)
  const { values = {}, errors } = input
  const labels = {
    username: message(locale, 'sign-up.username'),
    email: message(locale, 'sign-up.email'),
    password: message(locale, 'sign-up.password'),
    ...(input.minimumAge && { date_of_birth: message(locale, 'sign-up.birth') }),
    ...(needsApproval && { reason: message(locale, 'sign-up.reason') }),
    agreement: message(locale, 'sign-up.agreement'),
  }
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${markup(locale, needsApproval ? 'sign-up.ask-lead' : 'sign-up.lead', { domain })}</p>
    ${input.invite && invitation(locale, input.invite.by)} ${errorSummary(locale, { errors, labels })}
    <form method="post" action="${paths.register}">
      ${csrfField(frame.csrf)} ${hiddenFields({ invite_code: input.invite?.code, shown_at: input.shownAt })}
      ${rules(locale, input.rules)} ${usernameField(locale, { domain: frame.domain, value: values.username, errors })}
      ${emailField(locale, { value: values.email, errors })} ${newPasswordField(locale, { errors })}
      ${input.minimumAge && birthField(locale, { minimumAge: input.minimumAge, value: values.date_of_birth, errors })}
      ${
        needsApproval &&
        field(locale, {
          name: 'reason',
          label: message(locale, 'sign-up.reason'),
          type: 'textarea',
          value: values.reason,
          hint: message(locale, 'sign-up.reason-hint'),
          errors,
          optional: !input.reasonRequired,
          more: { maxlength: 420 },
        })
      }
      ${honeypots(locale)}
      ${checkbox(locale, {
        name: 'agreement',
        label: message(locale, input.rules.length > 0 ? 'sign-up.agree' : 'sign-up.agree-plain'),
        checked: values.agreement ?? false,
        errors,
      })}
      ${documents(locale, input)}
      <p class="actions">
        <button class="button" type="submit">
          ${message(locale, needsApproval ? 'sign-up.ask' : 'sign-up.submit')}
        </button>
      </p>
    </form>
    ${instead(locale)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** The field `username`, between the @ and the domain of the handle. */
export function usernameField(
  locale: Locale,
  { domain, value, errors }: { domain: string; value?: string | undefined; errors?: readonly FieldError[] | undefined },
): SafeHtml {
  return field(locale, {
    name: 'username',
    label: message(locale, 'sign-up.username'),
    value,
    hint: message(locale, 'sign-up.username-hint'),
    prefix: '@',
    suffix: `@${domain}`,
    errors,
    autocomplete: 'username',
    more: { maxlength: 30, pattern: '[A-Za-z0-9_]+', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' },
  })
}

/** The field `email`. */
export function emailField(
  locale: Locale,
  {
    value,
    errors,
    label,
    hint = message(locale, 'sign-up.email-hint'),
  }: { value?: string | undefined; errors?: readonly FieldError[] | undefined; label?: string; hint?: string },
): SafeHtml {
  const more = { maxlength: 320, autocapitalize: 'none', spellcheck: 'false', dir: 'ltr' }
  return field(locale, {
    name: 'email',
    label: label ?? message(locale, 'sign-up.email'),
    type: 'email',
    value,
    hint,
    errors,
    autocomplete: 'email',
    more,
  })
}

/** The field `password`, for a new password. */
export function newPasswordField(
  locale: Locale,
  {
    errors,
    label = message(locale, 'sign-up.password'),
  }: { errors?: readonly FieldError[] | undefined; label?: string },
): SafeHtml {
  return field(locale, {
    name: 'password',
    label,
    type: 'password',
    hint: message(locale, 'sign-up.password-hint'),
    errors,
    autocomplete: 'new-password',
    more: { minlength: 8 },
  })
}

function invitation(locale: Locale, by: PageAccount | null | undefined): SafeHtml {
  if (!by) return html`<p class="notice notice-good">${message(locale, 'sign-up.invited')}</p>`
  return html`<div class="notice notice-good">
    <p>${message(locale, 'sign-up.invited-by')}</p>
    ${identity(by)}
  </div>`
}

/** The rules to which the user agrees. */
export function rules(locale: Locale, all: SignUpInput['rules']): SafeHtml {
  if (all.length === 0) return html``
  return html`<section class="rules">
    <h2>${message(locale, 'sign-up.rules')}</h2>
    <ol>
      ${all.map(
        (rule) => html`<li dir="auto">${rule.text}${rule.hint && html` <span class="quiet">${rule.hint}</span>`}</li>`,
      )}
    </ol>
  </section>`
}

/** Two fields that users cannot see or reach, and that programs fill in. A form with a value in them is refused. */
function honeypots(locale: Locale): SafeHtml {
  const label = message(locale, 'sign-up.honeypot')
  return html`<div class="honeypot">
    ${['website', 'confirm_password'].map(
      (name) =>
        html`<label>${label} <input type="text" name="${name}" tabindex="-1" autocomplete="off" value="" /></label>`,
    )}
  </div>`
}

/** The field `date_of_birth` of a server with a minimum age (in years). */
export function birthField(
  locale: Locale,
  {
    minimumAge,
    value,
    errors,
  }: { minimumAge: number; value: string | undefined; errors: readonly FieldError[] | undefined },
): SafeHtml {
  return field(locale, {
    name: 'date_of_birth',
    label: message(locale, 'sign-up.birth'),
    type: 'date',
    value,
    hint: message(locale, 'sign-up.birth-hint', { age: minimumAge }),
    errors,
    autocomplete: 'bday',
  })
}

/** Links to the documents that the user should read. */
export function documents(
  locale: Locale,
  { privacyUrl, termsUrl }: Pick<SignUpInput, 'privacyUrl' | 'termsUrl'>,
): SafeHtml {
  const privacy = (name: HtmlValue) => html`<a href="${privacyUrl}">${name}</a>`
  const terms = (name: HtmlValue) => html`<a href="${termsUrl}">${name}</a>`
  if (privacyUrl && termsUrl) {
    return html`<p class="hint">${markup(locale, 'sign-up.read-both', { privacy, terms })}</p>`
  }
  if (privacyUrl) return html`<p class="hint">${markup(locale, 'sign-up.read-privacy', { privacy })}</p>`
  return termsUrl ? html`<p class="hint">${markup(locale, 'sign-up.read-terms', { terms })}</p>` : html``
}

function instead(locale: Locale): SafeHtml {
  return html`<p class="aside">
    ${markup(locale, 'sign-up.instead', { link: (words) => html`<a href="${signInPath(paths.home)}">${words}</a>` })}
  </p>`
}

/** The message for an invite that is unknown, expired or used up. */
export function invalidInvitePage(frame: Frame): string {
  const { locale } = frame
  const title = message(locale, 'sign-up.invite-invalid-title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'sign-up.invite-invalid')}</p>
    ${instead(locale)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function closedPage(frame: Frame): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'sign-up.closed-title')}</h1>
    <p class="lead">${markup(locale, 'sign-up.closed', { site: isolateDirection(frame.siteTitle) })}</p>
    ${instead(locale)}
  `
  return page(frame, { title: message(locale, 'sign-up.closed-title'), body, shape: 'narrow' })
}
