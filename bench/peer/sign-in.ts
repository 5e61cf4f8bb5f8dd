import { CommandError } from '../../src/cli/command-error.ts'

const SCOPES = 'read write'
const REDIRECT_URI = 'urn:ietf:wg:oauth:2.0:oob'

/** Registers an app on a local server, signs in by the forms of its pages, and returns a token (OAuth 2.0). */
export async function signIn({
  port,
  email,
  password,
}: {
  port: number
  email: string
  password: string
}): Promise<string> {
  const origin = `http://localhost:${port}`
  const app = await postJson(`${origin}/api/v1/apps`, {
    client_name: 'bench',
    redirect_uris: REDIRECT_URI,
    scopes: SCOPES,
  })
  const cookies = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(new URL(url, origin), {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name) cookies.set(name, value!)
    }
    return response
  }
  const request = new URLSearchParams({
    client_id: app['client_id']!,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPES,
  })
  await visit(`/oauth/authorize?${request.toString()}`)
  await visit('/auth/sign_in', { username: email, password })
  await visit(`/oauth/authorize?${request.toString()}`)
  const consent = await visit('/oauth/authorize', {})
  const location = consent.headers.get('location') ?? ''
  const code = new URL(location, origin).searchParams.get('code')
  if (code === null) throw new CommandError(`The sign-in on port ${port} failed: ${consent.status} ${location}`)
  const token = await postJson(`${origin}/oauth/token`, {
    grant_type: 'authorization_code',
    code,
    client_id: app['client_id']!,
    client_secret: app['client_secret']!,
    redirect_uri: REDIRECT_URI,
  })
  return token['access_token']!
}

async function postJson(url: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new CommandError(`${url} responded with ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}
