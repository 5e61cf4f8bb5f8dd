import { html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { csrfField, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { scopeGroups } from './scope-groups.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

export type ConsentInput = {
  app: { name: string; website?: string | null }
  /** The redirect URI: of a site or an app, or `urn:ietf:wg:oauth:2.0:oob`. */
  redirectUri: string
  scopes: readonly string[]
  /** The account of the user who is logged in. */
  account: PageAccount
  /** The parameters of the authorization request, sent with the decision as hidden fields. */
  parameters: Readonly<Record<string, string | null | undefined>>
  /** The path and query of this page, to which the user returns after logging in with another account. */
  returnTo: string
}

/**
 * Asks the user whether an app may use their account: posts `decision` (`allow` or `deny`) and the parameters to
 * `paths.authorize`. Logging in with another account posts `next` to `paths.signOut`.
 */
export function consentPage(frame: Frame, input: ConsentInput): string {
  const { locale } = frame
  const body = html`
    <h1>${markup(locale, 'consent.title', { app: isolateDirection(input.app.name) })}</h1>
    <div class="signed-in">
      <p class="quiet">${message(locale, 'consent.signed-in-as')}</p>
      <div class="signed-in-row">
        ${identity({ ...input.account, url: null })}
        <form method="post" action="${paths.signOut}">
          ${csrfField(frame.csrf)} ${hiddenFields({ next: input.returnTo })}
          <button class="button button-text" type="submit">${message(locale, 'consent.switch')}</button>
        </form>
      </div>
    </div>
    <h2>${message(locale, 'consent.could')}</h2>
    ${scopeGroups(locale, input.scopes)}
    <p class="quiet">${message(locale, 'consent.never')}</p>
    <h2>${message(locale, 'consent.facts')}</h2>
    <dl class="pairs">
      <div>
        <dt>${message(locale, 'consent.website')}</dt>
        <dd>${website(locale, input.app.website)}</dd>
      </div>
      <div>
        <dt>${message(locale, 'consent.after')}</dt>
        <dd>${destination(locale, input.redirectUri)}</dd>
      </div>
    </dl>
    <form method="post" action="${paths.authorize}">
      ${csrfField(frame.csrf)} ${hiddenFields(input.parameters)}
      <p class="actions actions-even">
        <button class="button" type="submit" name="decision" value="allow">${message(locale, 'consent.allow')}</button>
        <button class="button button-line" type="submit" name="decision" value="deny">
          ${message(locale, 'consent.deny')}
        </button>
      </p>
    </form>
  `
  return page(frame, {
    title: message(locale, 'consent.title', { app: isolateDirectionOfText(input.app.name) }),
    body,
    shape: 'narrow',
  })
}

function website(locale: Locale, address: string | null | undefined): SafeHtml | string {
  const url = address ? URL.parse(address) : null
  return url && url.host !== '' ? isolateDirection(url.host) : message(locale, 'consent.no-website')
}

function destination(locale: Locale, redirectUri: string): SafeHtml | string {
  if (redirectUri.startsWith('urn:')) return message(locale, 'consent.to-code')
  const url = URL.parse(redirectUri)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return markup(locale, 'consent.to-app', { scheme: isolateDirection(`${redirectUri.split(':')[0] ?? ''}:`) })
  }
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  const host = html`<strong>${isolateDirection(url.host)}</strong>`
  return markup(locale, local ? 'consent.to-device' : 'consent.to-site', { host })
}
