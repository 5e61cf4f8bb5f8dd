import type { LinkedIdentity } from '../../../domain/auth/external/identities.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField, hiddenFields } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

export type ExternalLoginsInput = {
  /** The providers that the server offers. */
  providers: readonly { name: string; displayName: string }[]
  identities: readonly LinkedIdentity[]
}

/** The external log-ins of the user, with buttons to link and to unlink each provider. */
export function externalLoginsPage(frame: Frame, { providers, identities }: ExternalLoginsInput): string {
  const { locale } = frame
  const title = message(locale, 'settings.external-logins')
  const offered = new Map(providers.map(({ name, displayName }) => [name, displayName]))
  // LDAP, and providers that the server no longer offers.
  for (const { provider } of identities) if (!offered.has(provider)) offered.set(provider, PROVIDER_NAMES[provider])
  const redirecting = new Set(providers.map(({ name }) => name))
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'external.lead')}</p>
    ${[...offered].map(([name, displayName]) => {
      const identity = identities.find(({ provider }) => provider === name)
      return html`<h2>${isolateDirection(displayName)}</h2>
        ${
          identity
            ? html`<p>${message(locale, 'external.linked')} ${isolateDirection(identity.uid)}</p>
                <form method="post" action="${paths.unlinkExternalLogin}">
                  ${csrfField(frame.csrf)} ${hiddenFields({ provider: name })}
                  <p class="actions">
                    <button class="button button-line" type="submit">${message(locale, 'external.unlink')}</button>
                  </p>
                </form>`
            : redirecting.has(name) &&
              html`<p>${message(locale, 'external.not-linked')}</p>
                <form method="post" action="${paths.externalLogin}${name}">
                  ${csrfField(frame.csrf)} ${hiddenFields({ link: '1' })}
                  <p class="actions">
                    <button class="button" type="submit">${message(locale, 'external.link')}</button>
                  </p>
                </form>`
        } `
    })}
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

const PROVIDER_NAMES: Record<LinkedIdentity['provider'], string> = {
  openid_connect: 'OpenID Connect',
  saml: 'SAML',
  cas: 'CAS',
  ldap: 'LDAP',
}
