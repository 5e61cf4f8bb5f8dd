import { FetchFailedError, FetchRefusedError } from '../fetch/fetch-errors.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { createIdentity, ExternalLoginError } from './external-provider.ts'
import type { ExternalProvider } from './external-provider.ts'
import { readCasResponse } from './read-cas-response.ts'
import type { CasConfig } from './read-cas-settings.ts'
import { mapRoles } from './role-map.ts'
import { fetchWith } from './trusted-fetch.ts'

/**
 * CAS protocol 3.0: the browser returns with a ticket, which the CAS server accepts once and only for the address to
 * which it was issued. That address contains the state of the log-in.
 */
export function createCas(config: CasConfig, { fetcher }: { fetcher: Fetcher }): ExternalProvider {
  const send = fetchWith(fetcher, { allowHttp: config.validateUrl.startsWith('http:') })
  const serviceOf = (state: string): string => withParameters(config.callbackUrl, { state })

  return {
    name: 'cas',
    displayName: config.displayName,
    async listOrigins() {
      return [new URL(config.loginUrl).origin]
    },

    async start({ state }) {
      return { redirectTo: withParameters(config.loginUrl, { service: serviceOf(state) }), secrets: {} }
    },

    async finish({ parameters, state }) {
      const ticket = parameters['ticket'] ?? ''
      if (ticket === '') throw new ExternalLoginError('refused', 'the browser returned without a ticket')
      const url = withParameters(config.validateUrl, { service: serviceOf(state), ticket })
      const response = await send(url, { method: 'GET', headers: { accept: 'application/xml' } }).catch(
        (err: unknown) => {
          const isNetwork = err instanceof FetchFailedError || err instanceof FetchRefusedError
          throw isNetwork ? new ExternalLoginError('unreachable', err.message) : err
        },
      )
      if (response.status !== 200) {
        throw new ExternalLoginError('unreachable', `the CAS server responded with ${response.status}`)
      }
      const user = readCasResponse(await response.text())
      if (user === null) throw new ExternalLoginError('refused', 'the CAS server did not accept the ticket')
      const find = (name: string): string | null =>
        name === 'user' ? user.name : (user.attributes.get(name)?.[0] ?? null)
      const names = [find(config.firstNameKey), find(config.lastNameKey)].filter((name) => name !== null)
      const identity = createIdentity({
        uid: find(config.uidField),
        displayName: find(config.nameKey) ?? names.join(' '),
        email: find(config.emailKey),
        emailVerified: config.assumesVerifiedEmail,
        pictureUrl: find(config.imageKey),
        roles: mapRoles(config.roleMap, (source) => user.attributes.get(source)),
      })
      return { identity, assertion: null }
    },

    async findSignOutUrl() {
      return null
    },
  }
}

function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
