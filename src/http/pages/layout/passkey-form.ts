import { attributes, html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import type { PasskeyOptions } from '../support/passkey-options.ts'
import { csrfField, hiddenFields } from './form.ts'
import type { Frame } from './layout.ts'

/**
 * A form that creates or uses a passkey, which the script fills in and submits. It is hidden where there is no script or
 * no support for passkeys. Posts `credential` and the fields. `autofill`: the browser offers passkeys in a field with
 * `autocomplete="… webauthn"`, too.
 */
export function passkeyForm(
  { csrf, locale }: Frame,
  {
    action,
    options,
    label,
    fields = html``,
    next,
    plain = false,
    autofill = false,
  }: {
    action: string
    options: PasskeyOptions
    label: string
    fields?: SafeHtml
    next?: string | null | undefined
    /** Another form of the page is more important. */
    plain?: boolean
    autofill?: boolean
  },
): SafeHtml {
  const data = attributes({ 'data-passkey': JSON.stringify(options(csrf)), 'data-passkey-autofill': autofill })
  return html`<form method="post" action="${action}" ${data} hidden>
    ${csrfField(csrf)} ${hiddenFields({ credential: '', next })} ${fields}
    <p class="notice notice-alert" role="alert" hidden data-passkey-error>${message(locale, 'passkeys.failed')}</p>
    <p class="actions"><button class="button ${plain && 'button-line'}" type="submit">${label}</button></p>
  </form>`
}

/** A text that is shown where there is no script or no support for passkeys. */
export function withoutPasskeys(text: string): SafeHtml {
  return html`<p class="quiet" data-without-passkeys>${text}</p>`
}
