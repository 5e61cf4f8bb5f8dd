import { MastoHttpError } from 'masto'
import { LogInRequiredError } from '../auth/authorize.ts'
import { accessToken, api, renewSession } from '../session.ts'
import { requestTokenOf } from './request-tokens.ts'

let renewal: Promise<void> | null = null

/**
 * Gets a new token after a request failed because the server has revoked the old one. Returns whether the request may
 * be tried again. Several failed requests share one renewal, also those that fail after it.
 */
export async function renewOnUnauthorized(error: unknown): Promise<boolean> {
  if (!(error instanceof MastoHttpError) || error.statusCode !== 401) return false
  const token = requestTokenOf(error)
  if (token !== undefined && token !== accessToken()) return true
  renewal ??= renewSession().finally(() => (renewal = null))
  try {
    await renewal
    return true
  } catch (cause) {
    if (cause instanceof LogInRequiredError) document.dispatchEvent(new CustomEvent('linnet-logged-out'))
    return false
  }
}

/** Finds out whether the server has revoked the token, and gets a new one then. */
export async function checkToken(): Promise<void> {
  await retryOnUnauthorized(() => api().v1.accounts.verifyCredentials()).catch(() => undefined)
}

/** Sends a request, and once more with a new token if the server has revoked the old one. @throws the error of the request */
export async function retryOnUnauthorized<Result>(send: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (await renewOnUnauthorized(error)) return send()
    throw error
  }
}
