import { randomBytes } from 'node:crypto'
import { connect, getCACertificates } from 'node:tls'
import type { Config } from '../../../../platform/config/config.ts'
import { FetchFailedError } from '../../../../platform/fetch/fetch-errors.ts'
import type { FetchFailureKind } from '../../../../platform/fetch/fetch-errors.ts'
import type { Fetcher } from '../../../../platform/fetch/fetcher.ts'
import { errorMessageOf, ok, problem, warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { openDoctorFetcher } from './open-doctor-fetcher.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 100_000

/** A certificate authority (PEM) that is trusted in addition to Node's. */
interface Trust {
  extraCa?: string | undefined
}

/**
 * Checks what a running server receives of requests to its URL: a reverse proxy that does not forward them completely
 * breaks federation, rate limits or streams without an error.
 */
export async function checkPublicAddress(config: Config, { extraCa }: Trust = {}): Promise<Finding[]> {
  const { origin } = config
  if (!origin.startsWith('https:')) return []
  const fetcher = openDoctorFetcher(config, { urls: [origin], extraCa })
  try {
    const obstacle = await findObstacle(fetcher, config)
    if (obstacle !== null) return [obstacle]
    const problems = await Promise.all([
      checkHostHeader(fetcher, config),
      checkForwardedFor(fetcher, config),
      checkWebSockets(config, { extraCa }),
      checkWebFinger(fetcher, config),
    ])
    const found = problems.filter((finding) => finding !== null)
    return found.length > 0 ? found : [ok(`${origin} leads to this server`)]
  } finally {
    await fetcher.close()
  }
}

const REMEDIES: Partial<Record<FetchFailureKind, string>> = {
  dns: 'create A and AAAA records of this domain',
  tls: 'the certificate must be valid and for this domain',
  network: 'start the reverse proxy, open port 443, and check the DNS records of this domain',
}

/** Returns why requests to the URL do not reach the server; null if they do. */
async function findObstacle(fetcher: Fetcher, { origin, localDomain }: Config): Promise<Finding | null> {
  const url = `${origin}/api/v1/instance`
  try {
    const { status, headers, body } = await request(fetcher, url)
    if (status >= 300 && status < 400)
      return problem(`${url} redirects to ${headers['location']}`, 'the reverse proxy must forward all paths')
    if (status >= 500) return problem(`${url} responds with ${status}`, 'the reverse proxy must forward to PORT')
    if (status === 200 && readDomain(body) === localDomain) return null
    return problem(`another program responds at ${origin}`, 'the reverse proxy must forward this domain to PORT')
  } catch (err) {
    const kind = err instanceof FetchFailedError ? err.kind : 'network'
    // Some networks permit no requests from inside to their public address.
    return warning(
      `${origin} cannot be reached from this machine: ${errorMessageOf(err)}`,
      `${REMEDIES[kind] ?? 'check the reverse proxy'}, unless other machines reach it`,
    )
  }
}

function readDomain(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as { uri?: unknown } | null)?.uri
  } catch {
    return null
  }
}

/** Sends a delivery with an old signature: the server compares the host before the time. */
async function checkHostHeader(fetcher: Fetcher, { origin }: Config): Promise<Finding | null> {
  const { status, body } = await request(fetcher, `${origin}/inbox`, {
    method: 'POST',
    body: '{}',
    headers: {
      'content-type': 'application/activity+json',
      date: new Date(0).toUTCString(),
      digest: 'SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
      signature:
        'keyId="https://doctor.invalid/actor#main-key",headers="(request-target) host date digest",signature="AAAA"',
    },
  })
  if (status !== 401 || !/signed for another host/i.test(body.toString())) return null
  return problem(
    'the reverse proxy does not pass the header Host, so other servers can deliver nothing',
    'nginx: proxy_set_header Host $host; Apache: ProxyPreserveHost On',
  )
}

/** Requests that a proxy has marked as forwarded cannot read the metrics. */
async function checkForwardedFor(fetcher: Fetcher, { origin, tls }: Config): Promise<Finding | null> {
  if (tls) return null
  const { status } = await request(fetcher, `${origin}/metrics`)
  if (status !== 200) return null
  return problem(
    'the reverse proxy does not add the header X-Forwarded-For, so all visitors share one rate limit and can read /metrics',
    'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; HAProxy: option forwardfor',
  )
}

/** Sends a handshake without a token, which the server rejects with a header that no other response has. */
async function checkWebSockets(
  { origin, streamingUrl, testHosts }: Config,
  { extraCa }: Trust,
): Promise<Finding | null> {
  const url = new URL(origin)
  if (new URL(streamingUrl).host !== url.host) return null
  const target = testHosts.get(url.hostname) ?? { ip: url.hostname, port: Number(url.port || 443) }
  const response = await new Promise<string>((resolve) => {
    const socket = connect({ host: target.ip, port: target.port, servername: url.hostname, ...trusting(extraCa) })
    let text = ''
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(text))
    socket.write(
      `GET /api/v1/streaming HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    )
  })
  if (/^x-error-message:/im.test(response)) return null
  return problem(
    'the reverse proxy does not forward WebSockets, so timelines are not updated live',
    'nginx: proxy_http_version 1.1 and the headers Upgrade and Connection; Apache: mod_proxy_wstunnel with upgrade=websocket',
  )
}

function trusting(extraCa: string | undefined): { ca?: string[] } {
  return extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] }
}

/** Other servers look up handles at LOCAL_DOMAIN. */
async function checkWebFinger(fetcher: Fetcher, { origin, localDomain, webDomain }: Config): Promise<Finding | null> {
  if (localDomain === webDomain) return null
  const url = `https://${localDomain}/.well-known/webfinger`
  const resource = `acct:${webDomain}@${localDomain}`
  const reason = await request(fetcher, `${url}?resource=${encodeURIComponent(resource)}`, {
    redirects: 'follow',
  }).then(
    ({ status, headers }) =>
      /json/.test(headers['content-type'] ?? '') && [200, 404].includes(status) ? null : `status ${status}`,
    errorMessageOf,
  )
  if (reason === null) return null
  return problem(
    `other servers cannot look up handles at ${url}: ${reason}`,
    `redirect it to ${origin}/.well-known/webfinger, with the query`,
  )
}

async function request(
  fetcher: Fetcher,
  url: string,
  options: Partial<Parameters<Fetcher['request']>[0]> = {},
): ReturnType<Fetcher['request']> {
  return fetcher.request({ url, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, redirects: 'none', ...options })
}
