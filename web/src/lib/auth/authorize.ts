const CLIENT_ID = 'web'
const SCOPES = 'read write follow push profile admin:read admin:write'

/** The user has to log in again, on the log-in page of the server. */
export class LogInRequiredError extends Error {
  override readonly name = 'LogInRequiredError'
}

/**
 * Gets an access token for the account of the browser session, by the authorization code flow with PKCE (RFC 7636). The
 * server redirects requests of its own client without a page, so the code is in the URL of the response.
 * @throws LogInRequiredError if the browser is not logged in
 */
export async function authorize(): Promise<string> {
  const verifier = randomText()
  const state = randomText()
  const redirectUri = `${location.origin}/web/authorized`
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: SCOPES,
    state,
    code_challenge: toBase64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`/oauth/authorize?${parameters.toString()}`, { credentials: 'same-origin' })
  // Only a page of the server says that the browser is not logged in.
  if (response.status >= 500 || response.status === 429)
    throw new Error(`The authorization endpoint responded with ${response.status}`)
  const { pathname, searchParams } = new URL(response.url)
  const code = searchParams.get('code')
  if (pathname !== '/web/authorized' || code === null || searchParams.get('state') !== state)
    throw new LogInRequiredError('The browser is not logged in')
  return exchange({ code, verifier, redirectUri })
}

async function exchange({
  code,
  verifier,
  redirectUri,
}: {
  code: string
  verifier: string
  redirectUri: string
}): Promise<string> {
  const response = await fetch('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  if (!response.ok) throw new Error(`The token endpoint responded with ${response.status}`)
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** Returns the path of the log-in page that leads back to the page that is open. */
export function logInPath(): string {
  const next = location.pathname + location.search
  return `/auth/sign_in?${new URLSearchParams({ force: '1', next }).toString()}`
}

/** Revokes a token (RFC 7009). */
export async function revoke(token: string): Promise<void> {
  await fetch('/oauth/revoke', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: CLIENT_ID, token }),
  })
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer)
}

function toBase64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
