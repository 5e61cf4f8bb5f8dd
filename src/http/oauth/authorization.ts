import { Type } from 'typebox'
import type { Static } from 'typebox'
import { findApp, OUT_OF_BAND } from '../../domain/auth/apps.ts'
import type { Application } from '../../domain/auth/apps.ts'
import { isCodeChallenge } from '../../domain/auth/codes.ts'
import { OAuthRefusal } from '../../domain/auth/oauth-refusal.ts'
import type { Ctx } from '../../domain/context.ts'
import { areKnownScopes, parseScopes, withinScopes } from '../../lib/scopes.ts'

/** The parameters with which an application asks for a code, sent by its link and again by our form. */
export const AUTHORIZATION = {
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
const Parameters = Type.Object(AUTHORIZATION)
export type AuthorizationParameters = Static<typeof Parameters>

const MODES = ['query', 'fragment', 'form_post'] as const

/** A request for a code that was checked whole. */
export interface Authorization {
  app: Application
  redirectUri: string
  scopes: readonly string[]
  state: string | null
  codeChallenge: string | null
  mode: (typeof MODES)[number]
}

/**
 * Checks a request for a code. Whatever is wrong is told here, on a page of ours: anybody can register an application,
 * so going on to its address without the person's consent would make this server a way to lead people anywhere.
 * @throws OAuthRefusal
 */
export async function readAuthorization(ctx: Ctx, parameters: AuthorizationParameters): Promise<Authorization> {
  const { client_id: clientId, redirect_uri: redirectUri, code_challenge: codeChallenge } = parameters
  if (!clientId) throw missing('client_id')
  const app = await findApp(ctx, { clientId })
  if (!app) throw new OAuthRefusal('invalid_client', 'The application is not known here.')
  if (!redirectUri) throw missing('redirect_uri')
  if (!app.redirectUris.includes(redirectUri)) {
    throw new OAuthRefusal('invalid_request', 'The redirect address is not one that the application registered.')
  }
  if (!parameters.response_type) throw missing('response_type')
  if (parameters.response_type !== 'code') throw new OAuthRefusal('unsupported_response_type')
  const mode = MODES.find((known) => known === (parameters.response_mode || 'query'))
  if (!mode) throw new OAuthRefusal('invalid_request', 'The response mode is not supported by this server.')
  const scopes = parseScopes(parameters.scope?.trim() || 'read')
  if (!areKnownScopes(scopes) || !withinScopes(scopes, app.scopes)) throw new OAuthRefusal('invalid_scope')
  if (codeChallenge ? !isS256(parameters) : Boolean(parameters.code_challenge_method)) {
    throw new OAuthRefusal('invalid_request', 'The code challenge must be made with the method S256.')
  }
  return { app, redirectUri, scopes, state: parameters.state ?? null, codeChallenge: codeChallenge || null, mode }
}

/** Our own path of a request for a code, without `force_login`, which was obeyed by then. */
export function authorizationPath(parameters: AuthorizationParameters): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(AUTHORIZATION) as (keyof AuthorizationParameters)[]) {
    const value = parameters[name]
    if (value !== undefined) query.set(name, value)
  }
  return `/oauth/authorize?${query.toString()}`
}

/** The address that carries an answer to the application: by its query or its fragment. */
export function answerUrl({ redirectUri, mode }: Authorization, answer: Record<string, string>): string {
  const pairs = new URLSearchParams(answer).toString()
  if (mode === 'fragment') return `${redirectUri}#${pairs}`
  // What was registered stays as it is, to the letter.
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${joint}${pairs}`
}

export function isOutOfBand({ redirectUri }: Authorization): boolean {
  return redirectUri === OUT_OF_BAND
}

function isS256({ code_challenge: challenge, code_challenge_method: method }: AuthorizationParameters): boolean {
  return method === 'S256' && isCodeChallenge(challenge ?? '')
}

function missing(name: string): OAuthRefusal {
  return new OAuthRefusal('invalid_request', `Missing required parameter: ${name}.`)
}
