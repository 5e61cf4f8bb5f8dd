import assert from 'node:assert/strict'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { createCa } from '../../../../test/services/certificates.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../test/servers/test-server.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { checkPublicAddress } from './checks/public-address.ts'

const ca = createCa()
let testServer: TestServer
let target: URL

before(async () => {
  testServer = await openTestServer({ effects: false })
  target = new URL(await testServer.listen())
})

after(() => testServer.close())

/** What a reverse proxy forwards; by default everything. */
interface ProxyOptions {
  passesHost?: boolean
  addsForwardedFor?: boolean
  upgrades?: boolean
  names?: string[]
  redirects?: string
  status?: number
}

/** Runs a reverse proxy in front of the server while `doctor` checks it. Returns what it found. */
async function findingsWith(
  { passesHost = true, addsForwardedFor = true, upgrades = true, names, redirects, status }: ProxyOptions,
  env: Record<string, string> = {},
): Promise<string[]> {
  const proxy = createServer(ca.issue(names ?? ['linnet.test', 'handles.test']))
  const forward = (incoming: IncomingMessage, hopHeaders = {}) => {
    const { host: _, connection: _1, upgrade: _2, ...headers } = incoming.headers
    return requestHttp({
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...headers,
        ...hopHeaders,
        host: passesHost ? incoming.headers.host : target.host,
        ...(addsForwardedFor && { 'x-forwarded-for': '192.0.2.1' }),
      },
    })
  }
  proxy.on('request', (incoming, response) => {
    if (redirects !== undefined) return response.writeHead(301, { location: redirects }).end()
    if (status !== undefined) return response.writeHead(status).end()
    const outgoing = forward(incoming)
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  if (upgrades) {
    proxy.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
      const outgoing = forward(incoming, { connection: 'upgrade', upgrade: 'websocket' })
      outgoing.on('response', ({ statusCode, headers }) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
        socket.end(`HTTP/1.1 ${statusCode} Refused\r\n${lines.join('')}\r\n`)
      })
      outgoing.end()
    })
  }
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const config = readConfig({
    LOCAL_DOMAIN: 'linnet.test',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1',
    LINNET_TEST_HOSTS: `linnet.test=127.0.0.1:${port},handles.test=127.0.0.1:${port}`,
    ...env,
  })
  try {
    return (await checkPublicAddress(config, { extraCa: ca.pem })).map(({ kind, text }) => `${kind}: ${text}`)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

test('a reverse proxy that forwards everything is ok', async () => {
  assert.deepEqual(await findingsWith({}), ['ok: https://linnet.test leads to this server'])
})

test('doctor reports each header that a reverse proxy does not forward', async () => {
  assert.deepEqual(await findingsWith({ passesHost: false, addsForwardedFor: false, upgrades: false }), [
    'error: the reverse proxy does not pass the header Host, so other servers can deliver nothing',
    'error: the reverse proxy does not add the header X-Forwarded-For, so all visitors share one rate limit and can read /metrics',
    'error: the reverse proxy does not forward WebSockets, so timelines are not updated live',
  ])
})

test('doctor reports a URL that leads to another program or to none', async () => {
  const url = 'https://linnet.test/api/v1/instance'
  assert.deepEqual(await findingsWith({ status: 502 }), [`error: ${url} responds with 502`])
  assert.deepEqual(await findingsWith({ status: 200 }), ['error: another program responds at https://linnet.test'])
  assert.deepEqual(await findingsWith({ redirects: url }), [`error: ${url} redirects to ${url}`])
  const [certificate] = await findingsWith({ names: ['other.test'] })
  assert.match(certificate!, /^warning: https:\/\/linnet\.test cannot be reached from this machine: .*other\.test/)
  const [missing] = await findingsWith({}, { LOCAL_DOMAIN: 'localhost.invalid' })
  assert.match(missing!, /^warning: https:\/\/localhost\.invalid cannot be reached from this machine: /)
})

test('LOCAL_DOMAIN must lead to WebFinger, too', async (t) => {
  const env = { LOCAL_DOMAIN: 'handles.test', WEB_DOMAIN: 'linnet.test' }
  const handleServer = await openTestServer({ effects: false, env })
  const own = target
  target = new URL(await handleServer.listen())
  t.after(async () => {
    target = own
    await handleServer.close()
  })
  assert.deepEqual(await findingsWith({}, env), ['ok: https://linnet.test leads to this server'])
  const [missing] = await findingsWith({ names: ['linnet.test'] }, env)
  assert.match(
    missing!,
    /^error: other servers cannot look up handles at https:\/\/handles\.test\/.well-known\/webfinger: /,
  )
})
