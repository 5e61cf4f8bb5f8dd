import { Type } from 'typebox'
import type { Static } from 'typebox'
import { OUT_OF_BAND } from '../../domain/auth/applications.ts'
import type { Application } from '../../domain/auth/applications.ts'
import { isCodeChallenge } from '../../domain/auth/authorization-codes.ts'
import { OAuthRequestError } from '../../domain/auth/oauth-request-error.ts'
import type { OAuthErrorCode } from '../../domain/auth/oauth-request-error.ts'
import { findOAuthClient, isWebClient } from '../../domain/auth/web-client.ts'
import type { Ctx } from '../../domain/context.ts'
import { areKnownScopes, parseScopes, withinScopes } from '../../lib/http/scopes.ts'

/**
 * The parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). The application sends them in the query;
 * the consent form sends them again.
 */
export const AUTHORIZATION_PARAMS = {
  response_type: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  code_challenge: Type.Optional(Type.String()),
  code_challenge_method: Type.Optional(Type.String()),
  response_mode: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
}
const Parameters = Type.Object(AUTHORIZATION_PARAMS)
export type AuthorizationParams = Static<typeof Parameters>

const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const

/** An authorization request that is not valid. `problem` chooses the text that the user reads. */
export class AuthorizationRequestError extends OAuthRequestError {
  readonly problem: 'unknown-app' | 'redirect-uri' | 'scope' | 'request'

  constructor(problem: AuthorizationRequestError['problem'], code: OAuthErrorCode, description?: string) {
    super(code, description)
    this.problem = problem
  }
}

/** A validated authorization request. */
export interface AuthorizationRequest {
  app: Application
  redirectUri: string
  scopes: readonly string[]
  state: string | null
  codeChallenge: string | null
  responseMode: (typeof RESPONSE_MODES)[number]
}

/**
 * Validates an authorization request. All errors are shown on a page of this server instead of being sent to the
 * redirect URI: anyone can register an application, so redirecting without the user's consent would be an open
 * redirect.
 * @throws AuthorizationRequestError
 */
export async function readAuthorizationRequest(
  ctx: Ctx,
  parameters: AuthorizationParams,
): Promise<AuthorizationRequest> {
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: codeChallenge } = parameters
  if (!clientId) throw missingParameter('client_id')
  const app = await findOAuthClient(ctx, { clientId })
  if (!app) throw new AuthorizationRequestError('unknown-app', 'invalid_client', 'The application is not known here.')
  if (!redirectUri) throw missingParameter('redirect_uri')
  if (!app.redirectUris.includes(redirectUri)) {
    const description = 'The redirect address is not one that the application registered.'
    throw new AuthorizationRequestError('redirect-uri', 'invalid_request', description)
  }
  if (!parameters.response_type) throw missingParameter('response_type')
  if (parameters.response_type !== 'code') throw new AuthorizationRequestError('request', 'unsupported_response_type')
  const mode = RESPONSE_MODES.find((supportedMode) => supportedMode === (parameters.response_mode || 'query'))
  if (!mode) throw invalidRequest('The response mode is not supported by this server.')
  const scopes = parseScopes(parameters.scope?.trim() || 'read')
  if (!areKnownScopes(scopes) || !withinScopes(scopes, app.scopes))
    throw new AuthorizationRequestError('scope', 'invalid_scope')
  if (codeChallenge ? !isS256(parameters) : Boolean(parameters.code_challenge_method)) {
    throw invalidRequest('The code challenge must be made with the method S256.')
  }
  if (isWebClient(app) && !codeChallenge) throw missingParameter('code_challenge')
  return {
    app,
    redirectUri,
    scopes,
    state: parameters.state ?? null,
    codeChallenge: codeChallenge || null,
    responseMode: mode,
  }
}

/** Returns the path and query of an authorization request, without `force_login`, which has been handled by then. */
export function authorizationPath(parameters: AuthorizationParams): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(AUTHORIZATION_PARAMS) as (keyof AuthorizationParams)[]) {
    const value = parameters[name]
    if (value !== undefined) query.set(name, value)
  }
  return `/oauth/authorize?${query.toString()}`
}

/** Returns the redirect URI with the response parameters in its query or its fragment (RFC 6749 §4.1.2). */
export function redirectUrl(
  { redirectUri, responseMode }: AuthorizationRequest,
  responseParams: Record<string, string>,
): string {
  const pairs = new URLSearchParams(responseParams).toString()
  if (responseMode === 'fragment') return `${redirectUri}#${pairs}`
  // The registered URI is kept exactly as it is, so the parameters are appended as text.
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${pairs}`
}

export function isOutOfBand({ redirectUri }: AuthorizationRequest): boolean {
  return redirectUri === OUT_OF_BAND
}

function isS256({ code_challenge: challenge, code_challenge_method: method }: AuthorizationParams): boolean {
  return method === 'S256' && isCodeChallenge(challenge ?? '')
}

function missingParameter(name: string): AuthorizationRequestError {
  return invalidRequest(`Missing required parameter: ${name}.`)
}

function invalidRequest(description: string): AuthorizationRequestError {
  return new AuthorizationRequestError('request', 'invalid_request', description)
}
