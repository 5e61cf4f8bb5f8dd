import type { SecondFactors } from '../../../domain/auth/two-factor/second-factors.ts'
import { html, raw } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

export type MethodsInput = SecondFactors & {
  /** A role of the user requires a second factor that the user does not have. */
  required: boolean
  /** The action that has just been completed. */
  done?: 'totp-enabled' | 'totp-removed' | 'disabled'
}

/** The second factors of the user; posts to `paths.recoveryCodes` and `paths.disableTwoFactor`. */
export function methodsPage(frame: Frame, { totp, passkeys, recoveryCodes, required, done }: MethodsInput): string {
  const { locale } = frame
  const title = message(locale, 'two-factor.title')
  const isEnabled = totp || passkeys > 0
  const methods = [
    {
      url: paths.authenticatorApp,
      name: message(locale, 'two-factor.app'),
      state: message(locale, totp ? 'two-factor.app-enabled' : 'two-factor.app-disabled'),
    },
    {
      url: paths.passkeys,
      name: message(locale, 'two-factor.passkeys'),
      state: message(locale, 'two-factor.passkey-count', { count: passkeys }),
    },
  ]
  const body = html`
    <h1>${title}</h1>
    ${done && notice('good', message(locale, `two-factor.${done}`))}
    ${required && notice('alert', message(locale, 'two-factor.required'))}
    <p class="lead">${message(locale, isEnabled ? 'two-factor.enabled' : 'two-factor.lead')}</p>
    <ul class="choices">
      ${methods.map(
        ({ url, name, state }) =>
          html`<li>
            <a href="${url}"
              ><span class="strike-words"><span>${name}</span><span class="hint">${state}</span></span>
              ${icons.forward}</a
            >
          </li>`,
      )}
    </ul>
    ${isEnabled && managementForms(frame, { recoveryCodes })}
    ${required ? html`<p class="aside">${message(locale, 'two-factor.required-note')}</p>` : backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function managementForms({ locale, csrf }: Frame, { recoveryCodes }: { recoveryCodes: number }): SafeHtml {
  return html`<h2>${message(locale, 'recovery-codes.title')}</h2>
    <form method="post" action="${paths.recoveryCodes}">
      ${csrfField(csrf)}
      <p class="hint">
        ${message(locale, 'recovery-codes.left', { count: recoveryCodes })} ${message(locale, 'recovery-codes.note')}
      </p>
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'recovery-codes.replace')}</button>
      </p>
    </form>
    <h2>${message(locale, 'two-factor.disable-title')}</h2>
    <form method="post" action="${paths.disableTwoFactor}">
      ${csrfField(csrf)}
      <p class="hint">${message(locale, 'two-factor.disable-note')}</p>
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'two-factor.disable')}</button>
      </p>
    </form>`
}

/** New recovery codes, which are shown only now. */
export function recoveryCodesPage(frame: Frame, { codes }: { codes: readonly string[] }): string {
  const { locale } = frame
  const title = message(locale, 'recovery-codes.title')
  const file = `${title}: ${frame.domain}\r\n\r\n${codes.join('\r\n')}\r\n`
  // Links of users never have this scheme. After the encoding, the text cannot end the attribute.
  const download = raw(`href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}"`)
  const body = html`
    <h1>${title}</h1>
    ${notice('good', message(locale, 'recovery-codes.created'))}
    <p class="lead">${message(locale, 'recovery-codes.lead')}</p>
    <ul class="codes" dir="ltr">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p class="hint">${message(locale, 'recovery-codes.print')}</p>
    <p class="actions">
      <a class="button button-line" ${download} download="recovery-codes-${frame.domain}.txt"
        >${message(locale, 'recovery-codes.download')}</a
      >
      <a class="button" href="${paths.twoFactor}">${message(locale, 'recovery-codes.saved')}</a>
    </p>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
