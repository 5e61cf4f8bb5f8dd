import type { TotpSetup } from '../../../domain/auth/two-factor/authenticator-app.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { base32, totpUri } from '../../../lib/totp.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { qrCode } from './qr-code.ts'

export type AuthenticatorAppInput = {
  setup: TotpSetup
  /** The e-mail address of the user, by which the app names the account. */
  email: string
  /** The user has an app already, which the new one replaces. */
  enabled: boolean
  throttled?: boolean
  /** Attribute `code`. */
  errors?: readonly FieldError[]
}

/**
 * The set-up of an authenticator app; posts `code` and `setup` to `paths.confirmAuthenticatorApp`, and nothing to
 * `paths.removeAuthenticatorApp`.
 */
export function authenticatorAppPage(
  frame: Frame,
  { setup, email, enabled, throttled, errors }: AuthenticatorAppInput,
): string {
  const { locale } = frame
  const title = message(locale, 'two-factor.app')
  const label = message(locale, 'authenticator-app.code')
  const uri = totpUri({ secret: setup.secret, issuer: frame.domain, label: email })
  const secret = base32(setup.secret)
    .match(/.{1,4}/g)!
    .join(' ')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, enabled ? 'authenticator-app.replace-lead' : 'authenticator-app.lead')}</p>
    ${throttled && notice('alert', message(locale, 'sign-in.throttled'))}
    ${errorSummary(locale, { errors, labels: { code: label } })}
    <ol class="steps">
      <li>
        ${message(locale, 'authenticator-app.scan')}
        ${qrCode(uri, { label: message(locale, 'authenticator-app.qr-code') })}
        <p class="hint">${message(locale, 'authenticator-app.type')}</p>
        <code class="address" dir="ltr" tabindex="0">${secret}</code>
      </li>
      <li>${message(locale, 'authenticator-app.enter')}</li>
    </ol>
    <form method="post" action="${paths.confirmAuthenticatorApp}">
      ${csrfField(frame.csrf)} ${hiddenFields({ setup: setup.sealed })}
      ${field(locale, {
        name: 'code',
        label,
        errors,
        autocomplete: 'one-time-code',
        more: { inputmode: 'numeric', dir: 'ltr', maxlength: 16 },
      })}
      <p class="actions">
        <button class="button" type="submit">
          ${message(locale, enabled ? 'authenticator-app.replace' : 'authenticator-app.enable')}
        </button>
      </p>
    </form>
    ${
      enabled &&
      html`<h2>${message(locale, 'authenticator-app.remove-title')}</h2>
        <form method="post" action="${paths.removeAuthenticatorApp}">
          ${csrfField(frame.csrf)}
          <p class="hint">${message(locale, 'authenticator-app.remove-note')}</p>
          <p class="actions">
            <button class="button button-line" type="submit">${message(locale, 'authenticator-app.remove')}</button>
          </p>
        </form>`
    }
    <p class="aside"><a href="${paths.twoFactor}">${message(locale, 'two-factor.title')}</a></p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
