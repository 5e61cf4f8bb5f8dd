import { html } from '../../../lib/html/html.ts'
import type { FieldError } from '../../../lib/errors.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { passkeyForm } from '../layout/passkey-form.ts'
import { paths, signInPath } from '../paths.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'

export type SecondFactorInput = {
  /** The user has an authenticator app. */
  totp: boolean
  /** null: the user has no passkey. */
  passkeyOptions: PasskeyOptions | null
  next: string | null
  throttled?: boolean
  /** Attributes `code`, `credential`. */
  errors?: readonly FieldError[]
}

/** Asks for the second factor of a log-in; posts `code` or `credential` to `paths.secondFactor`. */
export function secondFactorPage(
  frame: Frame,
  { totp, passkeyOptions, next, throttled, errors }: SecondFactorInput,
): string {
  const { locale } = frame
  const title = message(locale, 'second-factor.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'second-factor.lead')}</p>
    ${throttled && notice('alert', message(locale, 'sign-in.throttled'))}
    ${errorSummary(locale, { errors, labels: codeLabels(locale, { totp }) })}
    ${
      passkeyOptions &&
      passkeyForm(frame, {
        action: paths.secondFactor,
        options: passkeyOptions,
        label: message(locale, 'passkeys.use'),
        next,
      })
    }
    <form method="post" action="${paths.secondFactor}">
      ${csrfField(frame.csrf)} ${hiddenFields({ next })}
      ${codeField(locale, { totp, errors, focused: !passkeyOptions })}
      <p class="actions">
        <button class="button ${passkeyOptions && 'button-line'}" type="submit">
          ${message(locale, 'sign-in.submit')}
        </button>
      </p>
    </form>
    <p class="aside">${message(locale, 'second-factor.lost')}</p>
    <p class="aside">
      <a href="${next === null ? paths.signIn : signInPath(next)}">${message(locale, 'second-factor.restart')}</a>
    </p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** The field `code`: of the authenticator app, or a recovery code. */
export function codeField(
  locale: Locale,
  { totp, errors, focused = false }: { totp: boolean; errors?: readonly FieldError[] | undefined; focused?: boolean },
): SafeHtml {
  return field(locale, {
    name: 'code',
    label: codeLabels(locale, { totp }).code,
    hint: totp ? message(locale, 'second-factor.code-hint') : undefined,
    errors,
    autocomplete: 'one-time-code',
    more: {
      autocapitalize: 'none',
      spellcheck: 'false',
      dir: 'ltr',
      maxlength: 64,
      ...(focused && { autofocus: true }),
    },
  })
}

/** Returns the labels of the fields for `errorSummary`. */
export function codeLabels(locale: Locale, { totp }: { totp: boolean }): { code: string } {
  return { code: message(locale, totp ? 'second-factor.code' : 'second-factor.recovery-code') }
}
