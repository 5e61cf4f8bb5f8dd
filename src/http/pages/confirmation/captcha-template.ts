import { html, isolateDirection } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { csrfField, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'

/** The sources that hCaptcha's widget needs (https://docs.hcaptcha.com/#content-security-policy-settings). */
export const HCAPTCHA_SOURCES = 'https://hcaptcha.com https://*.hcaptcha.com'

export type CaptchaInput = {
  /** The token of the confirmation link. */
  token: string
  /** The public key of this server at hCaptcha. */
  siteKey: string
  /** Why the last response was not accepted. */
  problem?: 'wrong' | 'unavailable' | null
  /** After the confirmation, the browser is redirected to the app of the sign-up. */
  redirectsToApp?: boolean
}

/**
 * The captcha before the confirmation of an e-mail address. Posts the parameters of the link, and `h-captcha-response`
 * which the widget adds, to `paths.captcha`. It is the only page with a script, that of hCaptcha.
 */
export function captchaPage(frame: Frame, { token, siteKey, problem, redirectsToApp = false }: CaptchaInput): string {
  const { locale } = frame
  const title = message(locale, 'captcha.title')
  const body = html`
    <h1>${title}</h1>
    ${problem === 'wrong' && notice('alert', message(locale, 'captcha.failed'))}
    ${problem === 'unavailable' && notice('alert', message(locale, 'captcha.unavailable'))}
    <p class="lead">${message(locale, 'captcha.lead')}</p>
    <form method="post" action="${paths.captcha}">
      ${csrfField(frame.csrf)}
      ${hiddenFields({ confirmation_token: token, ...(redirectsToApp && { redirect_to_app: 'true' }) })}
      <div class="h-captcha" data-sitekey="${siteKey}"></div>
      <noscript>
        <p class="notice notice-alert">
          <span>${markup(locale, 'captcha.no-script', { site: isolateDirection(frame.siteTitle) })}</span>
        </p>
      </noscript>
      <p class="hint">${message(locale, 'captcha.service')}</p>
      <p class="actions"><button class="button" type="submit">${message(locale, 'captcha.submit')}</button></p>
    </form>
    <script src="https://js.hcaptcha.com/1/api.js" async defer></script>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
