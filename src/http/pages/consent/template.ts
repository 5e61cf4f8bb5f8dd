import { html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { coversScope } from '../../../lib/http/scopes.ts'
import { csrfField, hiddenFields } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { findMessage, markup, message } from '../../../lib/messages/message.ts'
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

const GROUPS = ['read', 'write', 'follow', 'push', 'admin'] as const
type Group = (typeof GROUPS)[number]

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
    <ul class="scopes">
      ${GROUPS.map((group) => scopeGroup(locale, { group, scopes: input.scopes }))}
    </ul>
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

/** Lists the requested scopes of a group in plain words, without scopes that another requested scope covers. */
function scopeGroup(locale: Locale, { group, scopes }: { group: Group; scopes: readonly string[] }): SafeHtml {
  const requested = scopes.filter((scope) => groupOf(scope) === group)
  const listed = requested.filter((scope) => !scopes.some((other) => other !== scope && covers(other, scope)))
  if (listed.length === 0) return html``
  return html`<li class="scope scope-${group}">
    ${icons[group]}
    <div>
      <h3>${message(locale, `consent.groups.${group}`)}</h3>
      <ul>
        ${listed.map((scope) => html`<li>${findMessage(locale, `scope.${scope}`) ?? html`<code>${scope}</code>`}</li>`)}
      </ul>
      ${group === 'admin' && html`<p class="scope-note">${message(locale, 'consent.admin-note')}</p>`}
    </div>
  </li>`
}

function groupOf(scope: string): Group {
  if (scope === 'profile') return 'read'
  const [first] = scope.split(':')
  return GROUPS.find((group) => group === first) ?? 'write'
}

/** `read` and `read:accounts` include what `profile` shows, although for tokens neither covers that scope. */
function covers(held: string, scope: string): boolean {
  return scope === 'profile' ? held === 'read' || held === 'read:accounts' : coversScope([held], scope)
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
