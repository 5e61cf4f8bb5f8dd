import { MAX_NICKNAME_CHARACTERS } from '../../../domain/auth/two-factor/passkeys.ts'
import type { Passkey } from '../../../domain/auth/two-factor/passkeys.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { csrfField, errorSummary, field, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { passkeyForm, withoutPasskeys } from '../layout/passkey-form.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'

export type PasskeysInput = {
  passkeys: readonly Passkey[]
  options: PasskeyOptions
  /** The action that has just been completed. */
  done?: 'added' | 'removed'
  /** The nickname that the user entered before. */
  value?: string
  /** Attributes `nickname`, `credential`. */
  errors?: readonly FieldError[]
}

/** The passkeys of the user; posts `nickname` and `credential` to `paths.passkeys`, and `id` to `paths.removePasskey`. */
export function passkeysPage(frame: Frame, { passkeys, options, done, value, errors }: PasskeysInput): string {
  const { locale } = frame
  const title = message(locale, 'two-factor.passkeys')
  const label = message(locale, 'passkeys.nickname')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'passkeys.lead')}</p>
    ${done && notice('good', message(locale, `passkeys.${done}`))}
    ${errorSummary(locale, { errors, labels: { nickname: label } })}
    ${passkeyForm(frame, {
      action: paths.passkeys,
      options,
      label: message(locale, 'passkeys.add'),
      fields: field(locale, {
        name: 'nickname',
        label,
        hint: message(locale, 'passkeys.nickname-hint'),
        value,
        errors,
        autocomplete: 'off',
        more: { maxlength: MAX_NICKNAME_CHARACTERS, dir: 'auto' },
      }),
    })}
    ${withoutPasskeys(message(locale, 'passkeys.unsupported'))}
    <h2>${message(locale, 'passkeys.listed')}</h2>
    ${
      passkeys.length === 0
        ? html`<p class="quiet">${message(locale, 'passkeys.none')}</p>`
        : html`<ul class="removable">
            ${passkeys.map((passkey) => passkeyItem(frame, passkey))}
          </ul>`
    }
    <p class="aside"><a href="${paths.twoFactor}">${message(locale, 'two-factor.title')}</a></p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function passkeyItem({ locale, csrf }: Frame, { id, nickname, createdAt, lastUsedAt }: Passkey): SafeHtml {
  return html`<li>
    <span class="strike-words"
      ><span>${isolateDirection(nickname)}</span
      ><span class="hint">${message(locale, 'passkeys.created', { date: fullTime(locale, createdAt) })}</span
      ><span class="hint"
        >${
          lastUsedAt
            ? message(locale, 'passkeys.last-used', { date: fullTime(locale, lastUsedAt) })
            : message(locale, 'passkeys.unused')
        }</span
      ></span
    >
    <form method="post" action="${paths.removePasskey}">
      ${csrfField(csrf)} ${hiddenFields({ id })}
      <button class="button button-text" type="submit">
        ${markup(locale, 'passkeys.remove', {
          name: isolateDirection(nickname),
          unseen: (text) => html`<span class="unseen">${text}</span>`,
        })}
      </button>
    </form>
  </li>`
}
