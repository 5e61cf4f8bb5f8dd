import type { ConfirmationMethods } from '../../../domain/auth/two-factor/confirm-identity.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { passkeyForm } from '../layout/passkey-form.ts'
import { confirmIdentityPath, paths, signInPath } from '../paths.ts'
import { codeField, codeLabels } from '../second-factor/template.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'

export type ConfirmIdentityInput = {
  methods: ConfirmationMethods
  /** null: the user has no passkey. */
  passkeyOptions: PasskeyOptions | null
  /** The page to which the user returns. */
  next: string
  throttled?: boolean
  /** Attributes `current_password`, `code`, `credential`. */
  errors?: readonly FieldError[]
}

/**
 * Asks users to prove their identity again; posts `current_password`, `code` or `credential` to `paths.confirmIdentity`.
 * Users without a password may also log in again, as they did before.
 */
export function confirmIdentityPage(
  frame: Frame,
  { methods, passkeyOptions, next, throttled, errors }: ConfirmIdentityInput,
): string {
  const { locale } = frame
  const title = message(locale, 'confirm-identity.title')
  const { password, totp, codes } = methods
  const labels = { ...codeLabels(locale, { totp }), current_password: message(locale, 'settings.current-password') }
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'confirm-identity.lead')}</p>
    ${throttled && notice('alert', message(locale, 'sign-in.throttled'))} ${errorSummary(locale, { errors, labels })}
    ${
      password &&
      confirmForm(frame, {
        next,
        plain: false,
        content: field(locale, {
          name: 'current_password',
          label: labels.current_password,
          type: 'password',
          errors,
          autocomplete: 'current-password',
          more: { autofocus: errors?.[0]?.attribute !== 'code' },
        }),
      })
    }
    ${
      passkeyOptions &&
      passkeyForm(frame, {
        action: paths.confirmIdentity,
        options: passkeyOptions,
        label: message(locale, 'passkeys.use'),
        plain: password,
        next,
      })
    }
    ${codes && confirmForm(frame, { next, plain: password, content: codeField(locale, { totp, errors }) })}
    ${
      !password &&
      html`<p class="aside">
        <a href="${signInPath(next)}&amp;force=1">${message(locale, 'confirm-identity.log-in')}</a>
      </p>`
    }
    <p class="aside"><a href="${paths.account}">${message(locale, 'confirm-identity.cancel')}</a></p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function confirmForm(
  frame: Frame,
  { next, plain, content }: { next: string; plain: boolean; content: SafeHtml },
): SafeHtml {
  return html`<form method="post" action="${paths.confirmIdentity}">
    ${csrfField(frame.csrf)} ${hiddenFields({ next })} ${content}
    <p class="actions">
      <button class="button ${plain && 'button-line'}" type="submit">
        ${message(frame.locale, 'confirm-identity.submit')}
      </button>
    </p>
  </form>`
}

/** A link to prove the identity, in place of a form that requires it. */
export function confirmIdentityLink({ locale }: Frame, { next }: { next: string }): SafeHtml {
  return html`<p class="hint">${message(locale, 'confirm-identity.needed')}</p>
    <p class="actions">
      <a class="button button-line" href="${confirmIdentityPath(next)}">${message(locale, 'confirm-identity.title')}</a>
    </p>`
}
