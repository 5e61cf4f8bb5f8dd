import type { EnvironmentReader } from '../config/environment-reader.ts'
import { readCallbackUrl, readProviderSettings, readUrl, requireText, requireUrl } from './provider-settings.ts'
import type { ProviderConfig } from './provider-settings.ts'

export interface OidcConfig extends ProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** Separated by blanks. */
  readonly scope: string
  /** null: the provider's discovery document has them. */
  readonly endpoints: OidcEndpoints | null
  /** The claim that identifies the user. */
  readonly uidField: string
  readonly usesPkce: boolean
  readonly sendsNonce: boolean
  readonly sendsScopeToTokenEndpoint: boolean
  readonly clientAuthMethod: 'basic' | 'body'
  /** null: the provider's default, the query. */
  readonly responseMode: 'query' | 'form_post' | null
  readonly prompt: string | null
  /** The page to which the provider returns the browser after it ended its session. */
  readonly logoutRedirectUri: string
}

interface OidcEndpoints {
  readonly authorization: string
  readonly token: string
  readonly userInfo: string
  readonly jwks: string
  readonly endSession: string | null
}

const AUTH_METHODS = {
  basic: 'basic',
  client_secret_basic: 'basic',
  body: 'body',
  post: 'body',
  client_secret_post: 'body',
} as const
const PROMPTS = ['none', 'login', 'consent', 'select_account']

/** Reads the settings of OpenID Connect; null if it is not enabled. */
export function readOidcSettings(reader: EnvironmentReader, { origin }: { origin: string }): OidcConfig | null {
  if (!reader.flag('OIDC_ENABLED')) return null
  const by = 'OIDC_ENABLED'
  const issuer = requireUrl(reader, { name: 'OIDC_ISSUER', by })
  const usesPkce = reader.flag('OIDC_USE_PKCE') ?? true
  const sendsNonce = reader.flag('OIDC_SEND_NONCE') ?? true
  if (!usesPkce && !sendsNonce) {
    reader.reportProblem('OIDC_USE_PKCE and OIDC_SEND_NONCE', 'cannot both be false: a stolen code could be used')
  }
  reader.choice('OIDC_RESPONSE_TYPE', 'code', ['code'])
  const method = reader.choice(
    'OIDC_CLIENT_AUTH_METHOD',
    'basic',
    Object.keys(AUTH_METHODS),
  ) as keyof typeof AUTH_METHODS
  return {
    ...readProviderSettings(reader, { prefix: 'OIDC', name: 'OpenID Connect' }),
    issuer,
    clientId: requireText(reader, { name: 'OIDC_CLIENT_ID', by }),
    clientSecret: requireText(reader, { name: 'OIDC_CLIENT_SECRET', by }),
    redirectUri: readCallbackUrl(reader, { name: 'OIDC_REDIRECT_URI', origin, provider: 'openid_connect' }),
    scope: readScope(reader, by),
    endpoints: reader.flag('OIDC_DISCOVERY') ? null : readEndpoints(reader, issuer),
    uidField: reader.text('OIDC_UID_FIELD') ?? 'sub',
    usesPkce,
    sendsNonce,
    sendsScopeToTokenEndpoint: reader.flag('OIDC_SEND_SCOPE_TO_TOKEN_ENDPOINT') ?? true,
    clientAuthMethod: AUTH_METHODS[method],
    responseMode: reader.choice('OIDC_RESPONSE_MODE', null, ['query', 'form_post']),
    prompt: readPrompt(reader),
    logoutRedirectUri: readUrl(reader, 'OIDC_IDP_LOGOUT_REDIRECT_URI') ?? `${origin}/`,
  }
}

/** As in Mastodon, separated by commas; blanks are accepted too. */
function readScope(reader: EnvironmentReader, by: string): string {
  const scopes = reader.list('OIDC_SCOPE') ?? []
  if (scopes.length === 0) requireText(reader, { name: 'OIDC_SCOPE', by })
  else if (!scopes.includes('openid')) reader.reportProblem('OIDC_SCOPE', 'must contain openid')
  return scopes.join(' ')
}

function readPrompt(reader: EnvironmentReader): string | null {
  const prompts = reader.list('OIDC_PROMPT') ?? []
  const unknown = prompts.find((prompt) => !PROMPTS.includes(prompt))
  if (unknown !== undefined) {
    reader.reportProblem('OIDC_PROMPT', `must consist of ${PROMPTS.join(', ')}, not "${unknown}"`)
  }
  return prompts.length === 0 ? null : prompts.join(' ')
}

/** Reads endpoints, which are URLs or paths of one host, by default that of the issuer. */
function readEndpoints(reader: EnvironmentReader, issuer: string): OidcEndpoints {
  const issuerUrl = new URL(issuer)
  const scheme = reader.choice('OIDC_HTTP_SCHEME', null, ['https', 'http']) ?? issuerUrl.protocol.slice(0, -1)
  const host = reader.text('OIDC_HOST')
  const port = reader.integer('OIDC_PORT', 0, 1, 65_535)
  const authority = `${host ?? issuerUrl.hostname}${port === 0 ? (host === null && issuerUrl.port ? `:${issuerUrl.port}` : '') : `:${port}`}`
  const base = `${scheme}://${authority}/`
  if (!URL.canParse(base)) reader.reportProblem('OIDC_HOST', `must be a host name, not "${host}"`)
  const endpoint = (name: string, fallback: string): string => {
    const value = reader.text(name) ?? fallback
    const url = URL.parse(value, URL.canParse(base) ? base : issuer)
    if (url && /^https?:$/.test(url.protocol)) return url.href
    reader.reportProblem(name, `must be an address or a path, not "${value}"`)
    return issuer
  }
  return {
    authorization: endpoint('OIDC_AUTH_ENDPOINT', '/authorize'),
    token: endpoint('OIDC_TOKEN_ENDPOINT', '/token'),
    userInfo: endpoint('OIDC_USER_INFO_ENDPOINT', '/userinfo'),
    jwks: endpoint('OIDC_JWKS_URI', '/jwk'),
    endSession: reader.text('OIDC_END_SESSION_ENDPOINT') === null ? null : endpoint('OIDC_END_SESSION_ENDPOINT', ''),
  }
}
