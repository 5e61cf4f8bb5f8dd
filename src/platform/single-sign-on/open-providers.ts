import type { Fetcher, FetcherOptions } from '../fetch/fetcher.ts'
import type { ExternalProvider } from './external-provider.ts'
import { createCas } from './cas.ts'
import { createLdapDirectory } from './ldap.ts'
import type { Directory } from './ldap.ts'
import { createOpenIdConnect } from './open-id-connect.ts'
import { createSaml } from './saml.ts'
import type { SamlProvider } from './saml.ts'
import type { SingleSignOnConfig } from './read-single-sign-on-settings.ts'
import { createTrustedFetcher } from './trusted-fetch.ts'

/** The configured providers of external log-ins. */
export interface ExternalLogins {
  /** Those to which the browser is redirected, in the order of their buttons. */
  readonly providers: readonly ExternalProvider[]
  /** The one of `providers` with SAML; null: none is configured. */
  readonly saml: SamlProvider | null
  /** Checks passwords; null: none is configured. */
  readonly directory: Directory | null
}

/** Creates the clients of the configured providers. They connect when a user logs in. */
export function openProviders(
  { oidc, saml: samlConfig, cas, ldap }: SingleSignOnConfig,
  options: FetcherOptions,
): { externalLogins: ExternalLogins; close(): Promise<void> } {
  const providers: ExternalProvider[] = []
  const fetchers: Fetcher[] = []
  const openFetcher = (urls: readonly string[], extraCa: readonly string[] = []): Fetcher => {
    const allCas = [options.extraCa ?? [], extraCa].flat()
    const fetcher = createTrustedFetcher({ ...options, ...(allCas.length > 0 && { extraCa: allCas }) }, { urls })
    fetchers.push(fetcher)
    return fetcher
  }
  if (oidc) {
    const { endpoints } = oidc
    const urls = endpoints === null ? [] : [endpoints.token, endpoints.userInfo, endpoints.jwks]
    providers.push(createOpenIdConnect(oidc, { fetcher: openFetcher([oidc.issuer, ...urls]) }))
  }
  const saml = samlConfig && createSaml(samlConfig)
  if (saml) providers.push(saml)
  if (cas) {
    const extraCa = cas.extraCa === null ? [] : [cas.extraCa]
    providers.push(createCas(cas, { fetcher: openFetcher([cas.validateUrl], extraCa) }))
  }
  return {
    externalLogins: { providers, saml, directory: ldap && createLdapDirectory(ldap, { extraCa: options.extraCa }) },
    async close() {
      await Promise.all(fetchers.map((fetcher) => fetcher.close()))
    },
  }
}
